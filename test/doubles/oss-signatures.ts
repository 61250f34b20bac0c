import { createHmac, hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request, its host and path read. */
export interface OssRequest {
  method: string;
  bucket: string;
  /** Decoded; empty for the bucket itself. */
  key: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
}

/** Parameters that version 1 signs, of those that this engine's requests could have. */
const signedParameters = /^(?:acl|uploads|uploadId|partNumber|symlink|versionId|x-oss-.+|response-.+)$/;

/** The signature of version 1 (help.aliyun.com, "Include signatures in the Authorization header"). */
export function signVersion1({ method, bucket, key, query, headers }: OssRequest, secret: string): string {
  const parameters = [...query]
    .filter(([name]) => signedParameters.test(name))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
    .sort();
  const lines = [
    method,
    headers['content-md5'] ?? '',
    headers['content-type'] ?? '',
    headers['x-oss-date'] ?? headers.date ?? '',
    ...ossHeaders(headers).map((name) => `${name}:${String(headers[name]).trim()}`),
    `/${bucket}/${key}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`,
  ];
  return createHmac('sha1', secret).update(lines.join('\n')).digest('base64');
}

/**
 * The signature of version 4 (help.aliyun.com, "Include a V4 signature in the Authorization header").
 *
 * @param isInUrl whether the date is a part of the URL, and no header
 */
export function signVersion4(
  request: OssRequest,
  secret: string,
  region: string,
  additional: string[],
  isInUrl = false,
): string {
  const { method, bucket, key, headers } = request;
  const always = ['content-type', 'content-md5'].filter((name) => headers[name] !== undefined);
  const own = isInUrl ? [] : ossHeaders(headers);
  const signed = [...new Set([...always, ...own, ...additional])].sort();
  const canonical = [
    method,
    encodeBytes(`/${bucket}/${key}`, /[\w.~/-]/),
    canonicalQuery(request.query),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    additional.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const date = String(headers['x-oss-date']);
  const scope = [date.slice(0, 8), region, 'oss', 'aliyun_v4_request'];
  const text = ['OSS4-HMAC-SHA256', date, scope.join('/'), hash('sha256', canonical)].join('\n');
  return createHmac('sha256', deriveKey(secret, scope)).update(text).digest('hex');
}

/** The key that version 4 signs with, for a day, a region and a service. */
export function deriveKey(secret: string, scope: string[]): Buffer {
  let key = Buffer.from(`aliyun_v4${secret}`);
  for (const part of scope) key = createHmac('sha256', key).update(part).digest();
  return key;
}

const ossHeaders = (headers: IncomingHttpHeaders): string[] =>
  Object.keys(headers)
    .filter((name) => name.startsWith('x-oss-'))
    .sort();

function canonicalQuery(query: URLSearchParams): string {
  const encode = (text: string) => encodeBytes(text, /[\w.~-]/);
  return [...query]
    .map(([name, value]) => [encode(name), encode(value)])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
    .join('&');
}

/** Every byte but those that are `kept` as `%XX`. */
function encodeBytes(text: string, kept: RegExp): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      return kept.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
