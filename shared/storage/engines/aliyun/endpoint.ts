import { toAddress } from '#shared/net/parse-target.ts';
import { openEndpoint } from '../../addresses.ts';
import type { AliyunSettings } from '../../settings.ts';

/** Where a bucket's API is. */
export interface Endpoint {
  /** Scheme and host, without a trailing slash. */
  origin: string;
  /** Where the bucket stands in a URL: nowhere on a domain bound to it, first in the path, or before the host. */
  style: 'bound' | 'path' | 'subdomain';
}

/**
 * Reads where requests and their signatures go.
 *
 * @throws AppError `storage.unavailable` when the endpoint is no URL, or an address that may not be reached
 */
export function readEndpoint({ endpoint, domain, cname, path_style }: AliyunSettings): Endpoint {
  const target = openEndpoint(endpoint || domain);
  const isBound = endpoint === '' || cname;
  // Nothing can stand before an address.
  const isPath = path_style || (!isBound && toAddress(target) !== undefined);
  return { origin: target.origin, style: isPath ? 'path' : isBound ? 'bound' : 'subdomain' };
}

/** Where forms of direct uploads go. */
export function toFormUrl({ origin, style }: Endpoint, bucket: string): string {
  if (style === 'bound') return `${origin}/`;
  return style === 'path' ? `${origin}/${bucket}/` : `${origin.replace('://', `://${bucket}.`)}/`;
}
