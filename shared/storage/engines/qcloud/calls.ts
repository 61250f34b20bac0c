import { type Answer, exchange } from '#shared/net/exchange.ts';
import type { StoredObject } from '../../engine.ts';
import { type ByteSpan, bringsRange, toPath, toRangeHeader } from '../cloud-requests.ts';
import { type CosAccount, type SignedRequest, signRequest } from './signing.ts';

export interface CosObject extends StoredObject {
  contentType: string;
  etag: string;
}

export type CosCalls = ReturnType<typeof createCalls>;

interface Call {
  headers?: Record<string, string>;
  body?: Uint8Array;
  maxBytes?: number;
}
type Send = (method: SignedRequest['method'], key: string, call?: Call) => Promise<Answer>;

/** Errors come as a small XML document. */
const maxDocumentBytes = 65_536;
/** Ignored by buckets that keep versions, or did. */
const forbidOverwrite = { 'x-cos-forbid-overwrite': 'true' };

/**
 * The calls to one bucket; each throws for an unexpected answer.
 *
 * @param deadline of all calls together, in milliseconds since 1970
 */
export function createCalls(account: CosAccount, deadline: number) {
  const { host } = new URL(account.origin);
  const send: Send = (method, key, { headers: given, body, maxBytes = maxDocumentBytes } = {}) => {
    const headers: Record<string, string> = { host, ...given };
    if (method === 'PUT') headers['content-length'] = String(body?.length ?? 0);
    headers.authorization = signRequest(account, { method, key, headers });
    const parts = body ? [body] : [];
    const timeoutMs = deadline - Date.now();
    return exchange({ url: account.origin + toPath(key), method, headers, body: parts, maxBytes, timeoutMs });
  };
  return {
    /** Returns undefined if not found. */
    async head(key: string): Promise<CosObject | undefined> {
      const answer = await send('HEAD', key);
      return answer.status === 404 ? undefined : toObject(expect(200, 'HEAD', answer));
    },
    /** Returns false if the key exists. */
    async put(key: string, body: Uint8Array, contentType: string): Promise<boolean> {
      const headers = { 'content-type': contentType, ...forbidOverwrite };
      const answer = await send('PUT', key, { headers, body });
      if (answer.status === 409 && codeOf(answer) === 'FileAlreadyExists') return false;
      return expect(200, 'PUT', answer).headers.etag !== undefined || fail('PUT', answer);
    },
    /** Returns false if the key exists, or the source is gone or changed. */
    async copy(from: string, to: string, source: CosObject): Promise<boolean> {
      const answer = await send('PUT', to, { headers: toCopyHeaders(account, from, source) });
      const code = codeOf(answer);
      if (answer.status === 409 && code === 'FileAlreadyExists') return false;
      if (answer.status === 404 && code === 'NoSuchKey') return false;
      // A copy may fail after its status was sent.
      return /<ETag>/.test(String(expect(200, 'copy', answer).bytes)) || fail('copy', answer);
    },
    read: (key: string, start: number, end: number) => readRange(send, key, { start, end }),
    async remove(key: string): Promise<void> {
      // COS answers 204 for a missing object; 404 is a missing bucket.
      expect(204, 'DELETE', await send('DELETE', key));
    },
  };
}

function toCopyHeaders({ bucket, region }: CosAccount, from: string, source: CosObject) {
  return {
    'content-type': source.contentType,
    'x-cos-copy-source': `${bucket}.cos.${region}.myqcloud.com${toPath(from)}`,
    'x-cos-copy-source-if-match': source.etag,
    // Other headers that the client's form set are not copied.
    'x-cos-metadata-directive': 'Replaced',
    ...forbidOverwrite,
  };
}

async function readRange(send: Send, key: string, span: ByteSpan): Promise<Uint8Array> {
  const { start, end } = span;
  if (end <= start) return new Uint8Array();
  const headers = { range: toRangeHeader(span) };
  const answer = await send('GET', key, { headers, maxBytes: Math.max(end - start, maxDocumentBytes) });
  if (answer.status === 416) return new Uint8Array();
  const { bytes, headers: given } = expect(206, 'GET', answer);
  return bringsRange(given['content-range'], bytes.length, span) ? bytes : fail('GET', answer);
}

function toObject(answer: Answer): CosObject {
  const { etag, 'content-type': contentType, 'content-length': length } = answer.headers;
  if (!etag || !contentType || !length) return fail('HEAD', answer);
  return { sizeBytes: Number(length), contentType, etag };
}

function expect(status: number, call: string, answer: Answer): Answer {
  return answer.status === status ? answer : fail(call, answer);
}

function fail(call: string, answer: Answer): never {
  throw new Error(`COS answered ${answer.status} ${codeOf(answer) ?? 'without a code'} to ${call}`);
}

/** Only the code: the rest of an answer may quote the request with its signature. */
function codeOf({ bytes }: Answer): string | undefined {
  return /<Code>([A-Za-z.]{1,64})<\/Code>/.exec(String(bytes))?.[1];
}
