import { environment } from '#shared/config/environment.ts';
import { parseTarget } from '#shared/outbound/parse-target.ts';
import { notConfigured, unavailable } from '../../failures.ts';
import type { QcloudSettings } from '../../settings.ts';

/** A bucket, the keys to it and where it is reached. */
export interface CosAccount {
  bucket: string;
  region: string;
  secretId: string;
  secretKey: string;
  /** Scheme, host and port, without a slash at the end. */
  origin: string;
}

const required = ['bucket', 'region', 'access_key', 'secret_key', 'domain'] as const;

/**
 * What the settings say, checked.
 *
 * @throws AppError `storage.not_configured` naming the settings that are missing or have the wrong form,
 * `storage.unavailable` for an endpoint that may not be reached
 */
export function toAccount(settings: QcloudSettings): CosAccount {
  const missing = required.filter((name) => !settings[name]);
  if (missing.length > 0) throw notConfigured(`qcloud lacks ${missing.join(', ')}`);
  const { bucket, region, access_key: secretId, secret_key: secretKey } = settings;
  if (!/^[a-z\d-]+-\d+$/.test(bucket)) throw notConfigured('the bucket of qcloud is no name-appid');
  if (!/^[a-z\d-]+$/.test(region)) throw notConfigured('the region of qcloud is none, as ap-guangzhou');
  return { bucket, region, secretId, secretKey, origin: toOrigin(settings) };
}

function toOrigin({ endpoint, bucket, region }: QcloudSettings): string {
  const url = withScheme(endpoint || `${bucket}.cos.${region}.myqcloud.com`);
  try {
    return parseTarget(url, environment().allowPrivateEndpoints).origin;
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * The address of an object for everybody.
 *
 * @param domain host or URL, with or without a slash at its end
 */
export function toPublicUrl(domain: string, key: string): string {
  return `${withScheme(domain).replace(/\/+$/, '')}${toPath(key)}`;
}

/** The path of an object in URLs. */
export const toPath = (key: string): string => `/${key.split('/').map(encodeURIComponent).join('/')}`;

/** Plain http is spoken only where the operator wrote it. */
const withScheme = (host: string): string => (/^https?:\/\//i.test(host) ? host : `https://${host}`);
