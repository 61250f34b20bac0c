import { type BucketEngine, guard, ObjectExistsError, type OpenOptions } from '../../engine.ts';
import { isStoredPath, mimeTypeOf, objectFolders } from '../../naming/object-path.ts';
import { createCloudEngine, defaultTimeoutMs } from '../cloud-engine.ts';
import { bringsRange } from '../cloud-requests.ts';
import { fillFromDeployment, requireSettings } from '../cloud-settings.ts';
import { cacheControl, openBucket, type S3Bucket, S3Error } from './client.ts';
import { type S3Settings, s3 } from './settings.ts';

/**
 * Amazon S3, or other storage with its API. The storage must know `if-none-match` of a `PUT`, else it overwrites objects.
 *
 * @throws AppError `storage.not_configured`; `storage.unavailable` for a denied endpoint
 */
export function createEngine(given: S3Settings, options: OpenOptions = {}): BucketEngine {
  requireSettings(s3, given);
  const settings = fillFromDeployment(s3, given);
  const bucket = openBucket(settings);

  const { timeoutMs = defaultTimeoutMs } = options;
  const engine = createCloudEngine(settings.domain, options, {
    async put(deadline, key, bytes, contentType) {
      // A conflict is a write of the same key at the same time.
      const refusals = ['PreconditionFailed', 'ConditionalRequestConflict'];
      const stored = await unless(refusals, bucket.put(deadline, key, bytes, contentType));
      if (!stored) throw new ObjectExistsError(`${key} exists`);
      if (!stored.ETag) throw noAnswerOfS3('PUT');
    },
    stat: (deadline, key) => head(bucket, deadline, key),
    async readSpan(deadline, key, span) {
      const read = await unless(['InvalidRange'], bucket.get(deadline, key, span));
      if (!read) return new Uint8Array();
      if (!bringsRange(read.range, read.bytes.length, span)) throw noAnswerOfS3('GET');
      return read.bytes;
    },
    async delete(deadline, key) {
      const { $metadata } = await bucket.delete(deadline, key);
      if ($metadata.httpStatusCode !== 204) throw noAnswerOfS3('DELETE');
    },
    async directTicket(_deadline, { key, contentType, sizeBytes, expiresAt }) {
      const signed = await bucket.signPut(key, contentType, sizeBytes, expiresAt);
      return { method: 'PUT', ...signed, fields: {}, file_field: '' };
    },
    signedUrl: (key, link) => bucket.signGet(key, link),
    // The SDK knows the host of a bucket.
    uploadOrigins: async () => [new URL((await bucket.signPut('a', 'text/plain', 1, 0)).url).origin],
    async finalise(deadline, key) {
      const found = await head(bucket, deadline, key);
      const contentType = mimeTypeOf(key) ?? 'application/octet-stream';
      if (!found || (found.contentType === contentType && !found.hasOtherHeaders)) return found;
      // The signature pins the type, but not the other headers that a client may add.
      const copied = bucket.replaceHeaders(deadline, key, found.etag, contentType);
      return (await unless(['NoSuchKey'], copied)) && found;
    },
  });
  return { ...engine, list: () => listKeys(bucket, timeoutMs) };
}

/** All keys that this service made. @throws AppError `storage.unavailable` */
async function* listKeys(bucket: S3Bucket, timeoutMs: number): AsyncGenerator<string> {
  for (const prefix of objectFolders) {
    let next: string | undefined;
    do {
      const page = await guard(() => bucket.list(Date.now() + timeoutMs, `${prefix}/`, next))();
      yield* page.keys.filter(isStoredPath);
      next = page.next;
    } while (next);
  }
}

const noAnswerOfS3 = (method: string) => new Error(`the answer to ${method} is not one of S3`);

/** The result of a call; undefined if S3 refuses it with one of these codes. */
async function unless<T>(codes: readonly string[], call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof S3Error && codes.includes(error.code)) return undefined;
    throw error;
  }
}

async function head(bucket: S3Bucket, deadline: number, key: string) {
  const found = await unless(['NotFound', 'NoSuchKey'], bucket.head(deadline, key));
  if (!found) return undefined;
  const { ContentLength: sizeBytes, ContentType: contentType, ETag: etag } = found;
  if (sizeBytes === undefined || !etag) throw noAnswerOfS3('HEAD');
  const { ContentEncoding, ContentDisposition, ContentLanguage, CacheControl, ExpiresString } = found;
  const added = [ContentEncoding, ContentDisposition, ContentLanguage, ExpiresString];
  const hasOtherHeaders = added.some(Boolean) || CacheControl !== cacheControl;
  return { sizeBytes, contentType, etag, hasOtherHeaders };
}
