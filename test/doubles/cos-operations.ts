import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { answerObject } from './answer-object.ts';
import type { CosForm } from './cos-form.ts';
import type { CosRefusal } from './verify-cos.ts';

export interface CosStored {
  bytes: Buffer;
  /** Stored metadata, answered as headers. */
  headers: Record<string, string>;
}

export interface CosAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** The bucket that operations work on. */
export interface CosBucket {
  name: string;
  region: string;
  objects: Map<string, CosStored>;
  /** Whether it keeps versions, or did: `x-cos-forbid-overwrite` does nothing there. */
  keepsVersions: boolean;
}

const refuse = (status: number, code: string, message = code): CosRefusal => ({ status, code, message });
const etagOf = ({ bytes }: CosStored) => `"${hash('md5', bytes)}"`;
const metadata = ['Content-Type', 'Content-Disposition', 'Content-Encoding', 'Cache-Control'];

/** The metadata of a request's headers or a form's fields. */
function pickMetadata(find: (name: string) => string | undefined): Record<string, string> {
  const found = metadata.flatMap((name) => {
    const value = find(name);
    return value === undefined ? [] : [[name.toLowerCase(), value]];
  });
  return { 'content-type': 'application/octet-stream', ...Object.fromEntries(found) };
}

const fromHeaders = (headers: IncomingHttpHeaders) =>
  pickMetadata((name) => headers[name.toLowerCase()]?.toString());

export function putObject(
  bucket: CosBucket,
  key: string,
  headers: IncomingHttpHeaders,
  bytes: Buffer,
): CosAnswer | CosRefusal {
  if (headers['content-length'] === undefined) return refuse(411, 'MissingContentLength');
  if (isForbidden(bucket, key, headers)) return refuse(409, 'FileAlreadyExists');
  const stored = { bytes, headers: fromHeaders(headers) };
  bucket.objects.set(key, stored);
  return { status: 200, headers: { etag: etagOf(stored) } };
}

export function copyObject(
  bucket: CosBucket,
  key: string,
  headers: IncomingHttpHeaders,
): CosAnswer | CosRefusal {
  const source = String(headers['x-cos-copy-source']);
  const [, name, region, path = ''] =
    /^([a-z\d-]+-\d+)\.cos\.([a-z\d-]+)\.myqcloud\.com\/(.+)$/.exec(source) ?? [];
  if (name === undefined) return refuse(400, 'InvalidArgument', 'x-cos-copy-source');
  if (name !== bucket.name || region !== bucket.region) return refuse(404, 'NoSuchBucket');
  const found = bucket.objects.get(decodeURIComponent(path));
  if (!found) return refuse(404, 'NoSuchKey');
  const wanted = headers['x-cos-copy-source-if-match'];
  if (wanted !== undefined && wanted !== etagOf(found)) return refuse(412, 'PreconditionFailed');
  if (isForbidden(bucket, key, headers)) return refuse(409, 'FileAlreadyExists');
  const isReplaced = headers['x-cos-metadata-directive'] === 'Replaced';
  const copy = { bytes: found.bytes, headers: isReplaced ? fromHeaders(headers) : found.headers };
  bucket.objects.set(key, copy);
  const document = `<CopyObjectResult><ETag>${etagOf(copy)}</ETag></CopyObjectResult>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: document };
}

function isForbidden(bucket: CosBucket, key: string, headers: IncomingHttpHeaders): boolean {
  const isAsked = headers['x-cos-forbid-overwrite'] === 'true';
  return isAsked && !bucket.keepsVersions && bucket.objects.has(key);
}

/** GET and HEAD. */
export function getObject(bucket: CosBucket, key: string, range: string | undefined): CosAnswer | CosRefusal {
  const stored = bucket.objects.get(key);
  if (!stored) return refuse(404, 'NoSuchKey', 'The specified key does not exist.');
  const { bytes } = stored;
  const headers = { ...stored.headers, etag: etagOf(stored), 'accept-ranges': 'bytes' };
  return answerObject(bytes, headers, range) ?? refuse(416, 'InvalidRange');
}

export function deleteObject(bucket: CosBucket, key: string): CosAnswer {
  bucket.objects.delete(key);
  return { status: 204 };
}

/** Stores the file of a checked form; overwrites. */
export function storeForm(bucket: CosBucket, { fields, file }: CosForm): CosAnswer {
  const stored = { bytes: file.bytes, headers: pickMetadata((name) => fields.get(name)) };
  bucket.objects.set(fields.get('key') ?? '', stored);
  const wanted = fields.get('success_action_status') ?? '';
  const status = ['200', '201', '204'].includes(wanted) ? Number(wanted) : 204;
  return { status, headers: { etag: etagOf(stored) } };
}
