import { crc32 } from 'node:zlib';
import { decideType, passesLimit, toEtag } from './qiniu-content.ts';
import { type PutPolicy, type QiniuGate, type QiniuRefusal, readUploadToken } from './qiniu-signatures.ts';
import type { UploadForm } from './read-form.ts';

/** An object as the service keeps it. */
export interface KodoObject {
  bytes: Buffer;
  mimeType: string;
  hash: string;
  /** In units of 100 nanoseconds since 1970. */
  putTime: number;
}

export interface UploadTarget {
  /** The objects of a bucket; undefined if it does not exist. */
  findObjects(bucket: string | null): Map<string, KodoObject> | undefined;
  gate: QiniuGate;
}

/** Judges a form upload by its token, and stores its file (developer.qiniu.com/kodo/1312/upload). */
export function acceptUpload(
  form: UploadForm | undefined,
  target: UploadTarget,
): QiniuRefusal | { body: unknown } {
  const refuse = (status: number, error: string) => ({ status, error });
  if (!form) return refuse(400, 'invalid multipart format');
  const { fields, file } = form;
  const policy = readUploadToken(fields.get('token'), target.gate);
  if ('error' in policy) return policy;
  if (policy.deadline * 1000 < target.gate.now()) return refuse(401, 'expired token');
  if (!file) return refuse(400, 'file is not specified in multipart');
  const [bucket, scopeKey] = splitScope(policy.scope);
  const objects = target.findObjects(bucket);
  if (!objects) return refuse(631, 'no such bucket');
  const hash = toEtag(file.bytes);
  const key = fields.get('key') ?? hash;
  if (scopeKey !== undefined && fields.get('key') !== scopeKey)
    return refuse(403, "key doesn't match with scope");
  const refusal = judgeContent(file.bytes, fields.get('crc32'), policy);
  if (refusal) return refusal;
  const there = objects.get(key);
  const onlyAdds = scopeKey === undefined || Boolean(policy.insertOnly);
  if (there && onlyAdds && there.hash !== hash) return refuse(614, 'file exists');
  const mimeType = decideType({ ...file, key }, policy.detectMime);
  if (!there || !onlyAdds) {
    const putTime = target.gate.now() * 10_000;
    objects.set(key, { bytes: file.bytes, mimeType, hash, putTime });
  }
  const values = { key, etag: hash, hash, fsize: file.bytes.length, mimeType, fname: file.fileName, bucket };
  return { body: fillReturnBody(policy.returnBody ?? '{"hash":$(etag),"key":$(key)}', values) };
}

function splitScope(scope: string): [bucket: string, key: string | undefined] {
  const at = scope.indexOf(':');
  return at < 0 ? [scope, undefined] : [scope.slice(0, at), scope.slice(at + 1)];
}

function judgeContent(bytes: Buffer, sum: string | undefined, policy: PutPolicy): QiniuRefusal | undefined {
  const { fsizeLimit = Number.POSITIVE_INFINITY, fsizeMin = 0, mimeLimit } = policy;
  if (sum !== undefined && !/^\d+$/.test(sum)) return { status: 400, error: 'invalid crc32' };
  if (sum !== undefined && Number(sum) !== crc32(bytes)) return { status: 406, error: "crc32 doesn't match" };
  if (bytes.length > fsizeLimit) return { status: 413, error: 'exceed FsizeLimit' };
  if (bytes.length < fsizeMin) return { status: 403, error: 'file size is less than FsizeMin' };
  if (mimeLimit && !passesLimit(bytes, mimeLimit)) {
    return { status: 403, error: 'limited mimeType: this file type is forbidden to upload' };
  }
  return undefined;
}

/** Puts the magic variables' values in, as JSON. */
function fillReturnBody(returnBody: string, values: Record<string, string | number>): unknown {
  const filled = returnBody.replace(/"?\$\((\w+)\)"?/g, (whole, name: string) =>
    JSON.stringify(whole.startsWith('"') ? String(values[name] ?? '') : (values[name] ?? null)),
  );
  return JSON.parse(filled);
}
