import { toPublicUrl } from '../addresses.ts';
import { toRangeHeader } from '../content-range.ts';
import { ObjectExistsError, type StorageEngine } from '../engine.ts';
import { mimeTypeOf } from '../naming/mime-type.ts';
import { type AliyunSettings, type CloudOptions, defaultTimeoutMs, requireSettings } from '../settings.ts';
import { type ObjectHead, readHead, takeRange } from './aliyun/answers.ts';
import { createClient } from './aliyun/client.ts';
import { readEndpoint, toFormUrl } from './aliyun/endpoint.ts';
import { isRefusal, toFailure } from './aliyun/failure.ts';
import { createPostForm } from './aliyun/post-form.ts';

/**
 * Object storage of Alibaba Cloud (OSS). The bucket must not keep versions: OSS then ignores that an object
 * is not to be overwritten.
 *
 * @throws AppError `storage.not_configured` when a setting is missing, `storage.unavailable` when the endpoint
 *   is an address that may not be reached
 */
export function createAliyunEngine(
  settings: AliyunSettings,
  { timeoutMs = defaultTimeoutMs }: CloudOptions = {},
): StorageEngine {
  requireSettings('aliyun', settings);
  const endpoint = readEndpoint(settings);
  const client = createClient(settings, endpoint, timeoutMs);

  const head = (key: string) => unless('NoSuchKey', client.head(key).then(readHead));

  return {
    name: 'aliyun',
    async put(key, bytes, contentType) {
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const headers = { 'x-oss-forbid-overwrite': 'true' };
      const stored = await unless(
        'FileAlreadyExists',
        client.put(key, content, { mime: contentType, headers }),
      );
      if (!stored) throw new ObjectExistsError(`${key} exists`);
    },
    async stat(key) {
      const found = await head(key);
      return found && { sizeBytes: found.sizeBytes };
    },
    async readRange(key, start, end) {
      if (end <= start) return new Uint8Array();
      // Without the second header a range that reaches behind the end brings the whole object.
      const headers = { Range: toRangeHeader({ start, end }), 'x-oss-range-behavior': 'standard' };
      const answer = client.get(key, undefined, { headers }).then((got) => takeRange(got, { start, end }));
      return (await unless('InvalidRange', answer)) ?? new Uint8Array();
    },
    async delete(key) {
      await unless('NoSuchKey', client.delete(key));
    },
    async directTicket(upload) {
      const url = toFormUrl(endpoint, settings.bucket);
      return { url, headers: {}, fields: createPostForm(settings, upload), file_field: 'file' };
    },
    async settle(key) {
      const deadline = Date.now() + timeoutMs;
      const found = await head(key);
      if (!found) return undefined;
      const contentType = mimeTypeOf(key) ?? 'application/octet-stream';
      if (!isServedAs(found, contentType)) {
        // The SDK takes 0 for no limit of its own.
        const timeout = Math.max(1, deadline - Date.now());
        // Onto itself: OSS replaces what it tells of the object, not its bytes.
        const copied = client.copy(key, key, { headers: { 'Content-Type': contentType }, timeout });
        if (!(await unless('NoSuchKey', copied))) return undefined;
      }
      return { sizeBytes: found.sizeBytes };
    },
    publicUrl: (key) => toPublicUrl(settings.domain, key),
  };
}

/** What a request brings; undefined where OSS refuses it by this code. */
async function unless<T>(code: string, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isRefusal(error, code)) return undefined;
    throw toFailure(error);
  }
}

/**
 * Whether an object is served as it was checked. A form pins its type, so this holds unless a service does not
 * know that field; the encoding is the client's to choose.
 */
function isServedAs({ contentType, isEncoded }: ObjectHead, expected: string): boolean {
  return contentType === expected && !isEncoded;
}
