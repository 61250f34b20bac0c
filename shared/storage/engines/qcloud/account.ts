import { openEndpoint } from '../../addresses.ts';
import { notConfigured } from '../../failures.ts';
import { type QcloudSettings, requireSettings } from '../../settings.ts';

/** A bucket, the keys to it and where it is reached. */
export interface CosAccount {
  bucket: string;
  region: string;
  secretId: string;
  secretKey: string;
  /** Scheme, host and port, without a slash at the end. */
  origin: string;
}

/**
 * What the settings say, checked.
 *
 * @throws AppError `storage.not_configured` naming the settings that are missing or have the wrong form,
 * `storage.unavailable` for an endpoint that may not be reached
 */
export function toAccount(settings: QcloudSettings): CosAccount {
  requireSettings('qcloud', settings);
  const { bucket, region, access_key: secretId, secret_key: secretKey, endpoint } = settings;
  if (!/^[a-z\d-]+-\d+$/.test(bucket)) throw notConfigured('the bucket of qcloud is no name-appid');
  if (!/^[a-z\d-]+$/.test(region)) throw notConfigured('the region of qcloud is none, as ap-guangzhou');
  const { origin } = openEndpoint(endpoint || `${bucket}.cos.${region}.myqcloud.com`);
  return { bucket, region, secretId, secretKey, origin };
}
