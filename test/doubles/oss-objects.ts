import { hash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { OssRefusal } from './oss-refusal.ts';

/** An object as the bucket holds it. */
export interface OssObject {
  bytes: Buffer;
  /** Answered with it, as `content-type` and `content-encoding`. */
  headers: Record<string, string>;
  etag: string;
  acl: string;
}

export type OssObjects = Map<string, OssObject>;

/** Headers that are kept with an object and answered with it. */
export const keptHeaders = [
  'content-type',
  'content-encoding',
  'content-disposition',
  'cache-control',
  'expires',
];
const acls = ['default', 'private', 'public-read', 'public-read-write'];

/** The given headers that are kept with an object. */
export function pickKept(given: (name: string) => string | undefined): Record<string, string> {
  const found = keptHeaders.flatMap((name) => {
    const value = given(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { 'content-type': 'application/octet-stream', ...Object.fromEntries(found) };
}

export interface OssWrite {
  key: string;
  bytes: Buffer;
  headers: Record<string, string>;
  acl?: string;
  /** Value of `x-oss-forbid-overwrite`. */
  forbidOverwrite?: string;
  /** The ETag of PutObject is the MD5, that of PostObject is not. */
  isPost?: boolean;
}

export function store(objects: OssObjects, write: OssWrite): OssObject {
  const { key, bytes, headers, acl = 'default', forbidOverwrite = 'false' } = write;
  if (!acls.includes(acl)) throw new OssRefusal(400, 'InvalidArgument', 'no such ACL', '0006-00000116');
  if (!['true', 'false'].includes(forbidOverwrite)) {
    throw new OssRefusal(400, 'InvalidArgument', 'x-oss-forbid-overwrite is true or false', '0006-00000117');
  }
  if (!key || Buffer.byteLength(key) > 1023 || /^[/\\]/.test(key)) {
    throw new OssRefusal(400, 'InvalidObjectName', 'The specified object is not valid.', '0016-00000502');
  }
  if (forbidOverwrite === 'true' && objects.has(key)) {
    const message = 'The object you specified already exists and can not be overwritten.';
    throw new OssRefusal(409, 'FileAlreadyExists', message, '0026-00000201');
  }
  const digest = write.isPost ? hash('md5', randomUUID()) : hash('md5', bytes);
  const stored: OssObject = { bytes, headers, acl, etag: `"${digest.toUpperCase()}"` };
  objects.set(key, stored);
  return stored;
}

/** @throws OssRefusal if not found */
export function find(objects: OssObjects, key: string): OssObject {
  const found = objects.get(key);
  if (found) return found;
  throw new OssRefusal(404, 'NoSuchKey', 'The specified key does not exist.', '0026-00000001');
}

/** Answers GET or HEAD. */
export function answerObject(
  { bytes, headers, etag }: OssObject,
  request: { method: string; headers: IncomingHttpHeaders },
  response: ServerResponse,
): void {
  const range = readRange(request.headers, bytes.length);
  const part = range ? bytes.subarray(range.first, range.last + 1) : bytes;
  response.writeHead(range ? 206 : 200, {
    ...headers,
    etag,
    'accept-ranges': 'bytes',
    'content-length': part.length,
    ...(range && { 'content-range': `bytes ${range.first}-${range.last}/${bytes.length}` }),
  });
  if (request.method === 'HEAD') response.end();
  else response.end(part);
}

/**
 * The bytes that are asked for. By default a range that does not lie within the object brings all of it; with
 * `x-oss-range-behavior: standard` it ends where the object ends, or is refused.
 */
function readRange(
  headers: IncomingHttpHeaders,
  length: number,
): { first: number; last: number } | undefined {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (from === undefined) return undefined;
  const [first, last] = [Number(from), to ? Number(to) : length - 1];
  if (first <= last && last < length) return { first, last };
  if (headers['x-oss-range-behavior'] !== 'standard') return undefined;
  if (first < length && first <= last) return { first, last: length - 1 };
  throw new OssRefusal(416, 'InvalidRange', 'The requested range cannot be satisfied', '0017-00000706');
}
