import type OSS from 'ali-oss';
import {
  type BucketEngine,
  type ByteSpan,
  ObjectExistsError,
  type OpenOptions,
  type SignedLink,
} from '../../engine.ts';
import { toDisposition } from '../../naming/disposition.ts';
import { mimeTypeOf } from '../../naming/object-path.ts';
import { createCloudEngine, defaultTimeoutMs } from '../cloud-engine.ts';
import { bringsRange, secondsUntil, toRangeHeader } from '../cloud-requests.ts';
import { requireSettings } from '../cloud-settings.ts';
import { createClient, readEndpoint, TransportError, toFormUrl } from './client.ts';
import { type AliyunSettings, aliyun } from './settings.ts';
import { createPostForm } from './signing.ts';

/**
 * Object storage of Alibaba Cloud (OSS). The bucket must not keep versions: then OSS overwrites objects.
 *
 * @throws AppError `storage.not_configured`; `storage.unavailable` for a denied endpoint
 */
export function createEngine(
  settings: AliyunSettings,
  { timeoutMs = defaultTimeoutMs }: OpenOptions = {},
): BucketEngine {
  requireSettings(aliyun, settings);
  const endpoint = readEndpoint(settings);
  const client = createClient(settings, endpoint, timeoutMs);
  const head = (key: string) => unless('NoSuchKey', client.head(key).then(readHead));

  return createCloudEngine(
    settings.domain,
    { timeoutMs },
    {
      async put(_deadline, key, bytes, mime) {
        const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const options = { mime, headers: { 'x-oss-forbid-overwrite': 'true' } };
        const stored = await unless('FileAlreadyExists', client.put(key, content, options));
        if (!stored) throw new ObjectExistsError(`${key} exists`);
      },
      stat: (_deadline, key) => head(key),
      async readSpan(_deadline, key, span) {
        // Without the second header, OSS answers a range that ends after the object with the whole object.
        const headers = { Range: toRangeHeader(span), 'x-oss-range-behavior': 'standard' };
        const answer = client.get(key, undefined, { headers }).then((got) => takeRange(got, span));
        return (await unless('InvalidRange', answer)) ?? new Uint8Array();
      },
      async delete(_deadline, key) {
        await unless('NoSuchKey', client.delete(key));
      },
      directTicket: async (_deadline, upload) => ({
        method: 'POST',
        url: toFormUrl(endpoint, settings.bucket),
        headers: {},
        fields: createPostForm(settings, upload),
        file_field: 'file',
      }),
      signedUrl: (key, link) => signLink(client, settings, key, link),
      uploadOrigins: async () => [new URL(toFormUrl(endpoint, settings.bucket)).origin],
      async finalise(deadline, key) {
        const found = await head(key);
        const contentType = mimeTypeOf(key) ?? 'application/octet-stream';
        // A form pins the type, but not every service knows that field. The client chooses the encoding.
        if (!found || (found.contentType === contentType && !found.isEncoded)) return found;
        // For the SDK, 0 means no limit.
        const timeout = Math.max(1, deadline - Date.now());
        // A copy onto itself replaces the object's headers, not its bytes.
        const copied = client.copy(key, key, { headers: { 'Content-Type': contentType }, timeout });
        return (await unless('NoSuchKey', copied)) && found;
      },
    },
  );
}

/** A URL for one object, by the version that the settings choose. */
async function signLink(client: OSS, { region }: AliyunSettings, key: string, link: SignedLink) {
  const expires = secondsUntil(link.expiresAt);
  const response = {
    'cache-control': 'private, no-store',
    'content-disposition': toDisposition(link.name),
  };
  const process = new URLSearchParams(link.query).get('x-oss-process');
  if (region === '') {
    return client.signatureUrl(key, { expires, response, ...(process !== null && { process }) });
  }
  const queries = {
    ...Object.fromEntries(Object.entries(response).map(([name, value]) => [`response-${name}`, value])),
    ...(process !== null && { 'x-oss-process': process }),
  };
  return client.signatureUrlV4('GET', expires, { queries }, key);
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

/** A new error: errors of the SDK hold the whole request, and quote answers, which may quote signatures. */
function toFailure(error: unknown): Error {
  if (error instanceof Error && error.name === 'TransportError') return new TransportError(error.message);
  const word = (name: string) => (error instanceof Error ? toWord(Reflect.get(error, name)) : '-');
  const details = `status ${word('status')}, EC ${word('ecCode')}, request ${word('requestId')}`;
  return new Error(`OSS answered ${word('code')} (${details})`);
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
  if (!/^\d{1,15}$/.test(length)) throw new TransportError('the answer does not give the size of the object');
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
