import type { AppError } from '#shared/errors/app-error.ts';
import { ObjectExistsError, type OpenOptions, type StorageEngine, unavailable } from '../../engine.ts';
import { mimeTypeOf } from '../../naming/object-path.ts';
import { type ByteSpan, bringsRange, toPublicUrl, toRangeHeader } from '../cloud-requests.ts';
import { defaultTimeoutMs, requireSettings } from '../cloud-settings.ts';
import { createClient, readEndpoint, TransportError, toFormUrl } from './client.ts';
import { type AliyunSettings, aliyun } from './settings.ts';
import { createPostForm } from './signing.ts';

/**
 * Object storage of Alibaba Cloud (OSS). The bucket must not keep versions: then OSS overwrites objects.
 *
 * @throws AppError `storage.not_configured` if a setting is missing, `storage.unavailable` if the endpoint is
 *   denied
 */
export function createEngine(
  settings: AliyunSettings,
  { timeoutMs = defaultTimeoutMs }: OpenOptions = {},
): StorageEngine {
  requireSettings(aliyun, settings);
  const endpoint = readEndpoint(settings);
  const client = createClient(settings, endpoint, timeoutMs);

  const head = (key: string) => unless('NoSuchKey', client.head(key).then(readHead));

  return {
    async put(key, bytes, mime) {
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const options = { mime, headers: { 'x-oss-forbid-overwrite': 'true' } };
      const stored = await unless('FileAlreadyExists', client.put(key, content, options));
      if (!stored) throw new ObjectExistsError(`${key} exists`);
    },
    async stat(key) {
      const found = await head(key);
      return found && { sizeBytes: found.sizeBytes };
    },
    async readRange(key, start, end) {
      if (end <= start) return new Uint8Array();
      // Without the second header, OSS answers a range that ends after the object with the whole object.
      const headers = { Range: toRangeHeader({ start, end }), 'x-oss-range-behavior': 'standard' };
      const answer = client.get(key, undefined, { headers }).then((got) => takeRange(got, { start, end }));
      return (await unless('InvalidRange', answer)) ?? new Uint8Array();
    },
    async delete(key) {
      await unless('NoSuchKey', client.delete(key));
    },
    directTicket: async (upload) => ({
      url: toFormUrl(endpoint, settings.bucket),
      headers: {},
      fields: createPostForm(settings, upload),
      file_field: 'file',
    }),
    async finalise(key) {
      const deadline = Date.now() + timeoutMs;
      const found = await head(key);
      if (!found) return undefined;
      const contentType = mimeTypeOf(key) ?? 'application/octet-stream';
      // A form pins the type, but not every service knows that field. The client chooses the encoding.
      if (found.contentType !== contentType || found.isEncoded) {
        // For the SDK, 0 means no limit.
        const timeout = Math.max(1, deadline - Date.now());
        // A copy onto itself replaces the object's headers, not its bytes.
        const copied = client.copy(key, key, { headers: { 'Content-Type': contentType }, timeout });
        if (!(await unless('NoSuchKey', copied))) return undefined;
      }
      return { sizeBytes: found.sizeBytes };
    },
    publicUrl: (key) => toPublicUrl(settings.domain, key),
  };
}

/** The result of a request; undefined if OSS refuses it with this code. */
async function unless<T>(code: string, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw toFailure(error);
  }
}

/**
 * The failure for an error of the SDK. The cause is a new error: errors of the SDK hold the whole request, and
 * quote answers, which may quote signatures.
 */
function toFailure(error: unknown): AppError {
  if (error instanceof Error && error.name === 'TransportError') {
    return unavailable(new TransportError(error.message));
  }
  const word = (name: string) => (error instanceof Error ? toWord(Reflect.get(error, name)) : '-');
  const details = `status ${word('status')}, EC ${word('ecCode')}, request ${word('requestId')}`;
  return unavailable(new Error(`OSS answered ${word('code')} (${details})`));
}

/** Only single words of an answer are logged. */
function toWord(value: unknown): string {
  const text = String(value ?? '');
  return /^[\w.-]{1,64}$/.test(text) ? text : '-';
}

interface Answered {
  res: { status: number; headers: object };
}

/** @throws TransportError if the answer has no size */
function readHead({ res }: Answered) {
  const length = headerOf(res.headers, 'content-length');
  if (!/^\d{1,15}$/.test(length)) throw new TransportError('the answer does not tell the size of the object');
  return {
    sizeBytes: Number(length),
    contentType: headerOf(res.headers, 'content-type').toLowerCase(),
    isEncoded: headerOf(res.headers, 'content-encoding') !== '',
  };
}

/** The requested bytes, as far as the object has them. @throws TransportError if the answer holds others */
function takeRange({ res, content }: Answered & { content?: unknown }, span: ByteSpan): Uint8Array {
  if (!Buffer.isBuffer(content)) throw new TransportError('the answer brings no bytes');
  if (res.status === 200) return content.subarray(span.start, span.end);
  if (bringsRange(headerOf(res.headers, 'content-range'), content.length, span)) return content;
  throw new TransportError('the answer brings another range');
}

function headerOf(headers: object, name: string): string {
  const value: unknown = Reflect.get(headers, name);
  return typeof value === 'string' ? value : '';
}
