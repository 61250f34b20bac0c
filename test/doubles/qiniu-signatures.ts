import { createHmac } from 'node:crypto';
import type { DoubleRequest } from './serve.ts';

/** Who may sign, and what time it is. */
export interface QiniuGate {
  /** Secrets by access key. */
  keys: Record<string, string>;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface QiniuRefusal {
  status: number;
  error: string;
}

/** An upload policy as it is signed (developer.qiniu.com/kodo/1206/put-policy). */
export interface PutPolicy {
  scope: string;
  deadline: number;
  insertOnly?: number;
  fsizeMin?: number;
  fsizeLimit?: number;
  detectMime?: number;
  mimeLimit?: string;
  returnBody?: string;
}

const badToken: QiniuRefusal = { status: 401, error: 'bad token' };
const quarterHourMs = 900_000;

/** HMAC-SHA1 in URL-safe Base64, its padding kept. */
export function signQiniu(secret: string, text: string): string {
  return createHmac('sha1', secret).update(text).digest('base64').replaceAll('+', '-').replaceAll('/', '_');
}

export function decodeUrlSafe(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}

/** `ak:sign:policy`; whether it has expired is for the caller to ask once the body is in. */
export function readUploadToken(token: string | undefined, gate: QiniuGate): PutPolicy | QiniuRefusal {
  if (!token) return { status: 401, error: 'token not specified' };
  const [accessKey = '', signature, encoded = ''] = token.split(':');
  const secret = gate.keys[accessKey];
  if (!secret || signature !== signQiniu(secret, encoded)) return badToken;
  return JSON.parse(decodeUrlSafe(encoded));
}

/** What `Authorization: Qiniu` signs (developer.qiniu.com/kodo/1201/access-token). */
export function managementText({ method, path, query, headers, body }: DoubleRequest, host: string): string {
  const type = headers['content-type'];
  const own = Object.entries(headers)
    .filter(([name]) => /^x-qiniu-./.test(name))
    .map(([name, value]) => `${toCanonical(name)}: ${value}`)
    .sort();
  const lines = [`${method} ${path}${query && `?${query}`}`, `Host: ${host}`];
  if (type) lines.push(`Content-Type: ${type}`);
  return `${[...lines, ...own].join('\n')}\n\n${type && type !== 'application/octet-stream' ? body : ''}`;
}

const toCanonical = (name: string) => name.replace(/(^|-)([a-z])/g, (letters) => letters.toUpperCase());

/** What `Authorization: QBox` signs, the older way. */
export function oldManagementText({ path, query, headers, body }: DoubleRequest): string {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  return `${path}${query && `?${query}`}\n${isForm ? body : ''}`;
}

/** Whether a management request is authorised. */
export function verifyManagement(request: DoubleRequest, gate: QiniuGate): QiniuRefusal | 'ok' | 'doubled' {
  const { authorization = '', host = '', 'x-qiniu-date': date } = request.headers;
  const [, scheme, accessKey = '', signature] = /^(Qiniu|QBox) ([^:]+):(.+)$/.exec(authorization) ?? [];
  const secret = gate.keys[accessKey];
  if (!secret) return badToken;
  if (typeof date === 'string' && Math.abs(gate.now() - readDate(date)) > quarterHourMs) {
    return { status: 403, error: 'request time is too skewed' };
  }
  if (scheme === 'QBox') return signature === signQiniu(secret, oldManagementText(request)) ? 'ok' : badToken;
  if (signature === signQiniu(secret, managementText(request, host))) return 'ok';
  // Qiniu's hosts have no port; the SDK signs one twice.
  const [, port] = /:(\d+)$/.exec(host) ?? [];
  const doubled = port && signature === signQiniu(secret, managementText(request, `${host}:${port}`));
  return doubled ? 'doubled' : badToken;
}

/** `20060102T150405Z` in milliseconds since 1970. */
const readDate = (date: string) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Whether a link to a file of a private bucket holds; `url` is whole. */
export function verifyDownload(url: string, gate: QiniuGate): QiniuRefusal | undefined {
  const [, signed, deadline, accessKey = '', signature] =
    /^(.+[?&]e=(\d+))&token=([^:]+):([\w=-]+)/.exec(url) ?? [];
  const secret = gate.keys[accessKey];
  if (!signed) return { status: 401, error: 'download token not specified' };
  if (!secret || signature !== signQiniu(secret, signed)) {
    return { status: 401, error: 'download token auth failed' };
  }
  return Number(deadline) * 1000 < gate.now() ? { status: 401, error: 'token out of date' } : undefined;
}
