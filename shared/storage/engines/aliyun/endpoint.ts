import { environment } from '#shared/config/environment.ts';
import { parseTarget, toAddress } from '#shared/outbound/parse-target.ts';
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
 * @throws OutboundError when the endpoint is no URL, or an address that may not be reached
 */
export function readEndpoint({ endpoint, domain, cname, path_style }: AliyunSettings): Endpoint {
  const target = parseTarget(withScheme(endpoint || domain), environment().allowPrivateEndpoints);
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

/** The address that anybody fetches an object from. */
export function toPublicUrl(domain: string, key: string): string {
  const path = key.split('/').map(encodeURIComponent).join('/');
  return `${withScheme(domain).replace(/\/+$/, '')}/${path}`;
}

/** Plain http is spoken only where it says so. */
const withScheme = (host: string): string => (/^https?:\/\//i.test(host) ? host : `https://${host}`);
