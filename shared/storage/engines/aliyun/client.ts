import OSS from 'ali-oss';
import { notConfigured } from '../../failures.ts';
import type { AliyunSettings } from '../../settings.ts';
import type { Endpoint } from './endpoint.ts';
import { transport } from './transport.ts';

export type Client = OSS;

/**
 * A client of one bucket.
 *
 * @param timeoutMs how long a request may take that names no time of its own
 * @throws AppError `storage.not_configured` when a setting is of no use to it
 */
export function createClient(
  { bucket, access_key, secret_key, region }: AliyunSettings,
  { origin, style }: Endpoint,
  timeoutMs: number,
): Client {
  const options = {
    bucket,
    accessKeyId: access_key,
    accessKeySecret: secret_key,
    endpoint: origin,
    cname: style === 'bound',
    sldEnable: style === 'path',
    // Version 4 signs the region, version 1 needs none.
    ...(region !== '' && { region, authorizationV4: true }),
    timeout: timeoutMs,
    urllib: transport,
  };
  try {
    return new OSS(options);
  } catch {
    throw notConfigured('aliyun: the bucket or the endpoint is none of OSS');
  }
}
