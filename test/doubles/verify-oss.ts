import { OssRefusal } from './oss-refusal.ts';
import { type OssRequest, signVersion1, signVersion4 } from './oss-signatures.ts';

/** The accounts and the clock of the service. */
export interface OssGateway {
  /** Secrets by AccessKey ID. */
  keys: Record<string, string>;
  /** The region that the bucket lies in, as `cn-hangzhou`. */
  region: string;
  /** Milliseconds since 1970. */
  now(): number;
}

const windowMs = 15 * 60_000;

/**
 * Checks the signature of the `Authorization` header, of version 1 or 4.
 *
 * @returns whether there is one
 * @throws OssRefusal if it is wrong
 */
export function verifyOssHeader(request: OssRequest, gateway: OssGateway): boolean {
  const { authorization } = request.headers;
  if (authorization === undefined) return false;
  if (authorization.startsWith('OSS ')) verifyVersion1(request, gateway, authorization);
  else verifyVersion4(request, gateway, authorization);
  return true;
}

/** The secret of an AccessKey ID. @throws OssRefusal if the ID is unknown */
export function secretOf(gateway: OssGateway, keyId: string): string {
  const secret = gateway.keys[keyId];
  if (secret !== undefined) return secret;
  const message = 'The OSS Access Key Id you provided does not exist in our records.';
  throw new OssRefusal(403, 'InvalidAccessKeyId', message, '0002-00000902');
}

export function mismatch(): OssRefusal {
  const message = 'The request signature we calculated does not match the signature you provided.';
  return new OssRefusal(403, 'SignatureDoesNotMatch', message, '0002-00000040');
}

function verifyVersion1(request: OssRequest, gateway: OssGateway, authorization: string): void {
  const [, keyId = '', signature] = /^OSS ([^:]+):(.+)$/.exec(authorization) ?? [];
  const secret = secretOf(gateway, keyId);
  const date = String(request.headers['x-oss-date'] ?? request.headers.date ?? '');
  checkTime(Date.parse(date), gateway);
  if (signVersion1(request, secret) !== signature) throw mismatch();
}

const version4 =
  /^OSS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([a-z0-9-]+)\/oss\/aliyun_v4_request, *(?:AdditionalHeaders=([^,]*), *)?Signature=([0-9a-f]{64})$/;

function verifyVersion4(request: OssRequest, gateway: OssGateway, authorization: string): void {
  const [, keyId = '', day, region, additional = '', signature] = version4.exec(authorization) ?? [];
  const invalid = (message: string) => new OssRefusal(400, 'InvalidArgument', message, '0002-00000301');
  if (!signature) throw invalid('The authorization header is invalid.');
  const secret = secretOf(gateway, keyId);
  const date = String(request.headers['x-oss-date'] ?? '');
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const [year = 0, month = 0, ...rest] = parts.map(Number);
  checkTime(parts.length === 0 ? Number.NaN : Date.UTC(year, month - 1, ...rest), gateway);
  if (!date.startsWith(day ?? '') || region !== gateway.region)
    throw invalid('Invalid signing date or region.');
  if (request.headers['x-oss-content-sha256'] !== 'UNSIGNED-PAYLOAD') {
    throw invalid('The x-oss-content-sha256 header is missing or invalid.');
  }
  const names = additional.split(';').filter(Boolean);
  if (signVersion4(request, secret, gateway.region, names) !== signature) throw mismatch();
}

function checkTime(at: number, { now }: OssGateway): void {
  if (Number.isNaN(at)) {
    throw new OssRefusal(403, 'AccessDenied', 'The date of the request is missing.', '0002-00000504');
  }
  if (Math.abs(now() - at) > windowMs) {
    const message = 'The difference between the request time and the current time is too large.';
    throw new OssRefusal(403, 'RequestTimeTooSkewed', message, '0002-00000504');
  }
}
