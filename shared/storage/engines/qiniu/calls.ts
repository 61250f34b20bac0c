import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Answer, type Exchange, exchange } from '#shared/net/exchange.ts';
import type { ByteSpan } from '../../engine.ts';
import { bringsRange, toRangeHeader } from '../cloud-requests.ts';
import { type FindHosts, tryEach } from './regions.ts';
import type { RegionHosts } from './signing.ts';

export interface Call {
  /** Named in the message of a failure. */
  name: string;
  service: keyof RegionHosts;
  /** Makes the request to a host. */
  at(origin: string): Pick<Exchange, 'url' | 'method' | 'headers' | 'body'>;
  /** Statuses that are not failures. */
  expected: readonly number[];
}

const rules = {
  maxBytes: 65_536,
  // A longer answer is not JSON; then the failure shows the status.
  isCut: true,
  // Uploads only add, deleting and setting a type are idempotent.
  isRepeatable: true,
};
/** Failures of one host; the region's other hosts may work. */
const hostFailures = new Set([500, 502, 503, 504, 599]);
/** Tokens, signatures and keys are this long; words and hosts are shorter. */
const secretLike = /[\w=-]{20,}/;

/**
 * Calls the first host of a service that answers. The `body` is untrusted; an empty object if the answer had none.
 *
 * @param deadline in milliseconds since 1970
 * @throws Error for an unexpected answer; its message holds no secrets
 */
export async function call(findHosts: FindHosts, request: Call, deadline: number) {
  const { status, bytes } = await exchangeAny(await findHosts(request.service, deadline), request, deadline);
  const body = parse(bytes);
  if (body && request.expected.includes(status)) return { status, body };
  const reason =
    typeof body?.error === 'string' && !secretLike.test(body.error) ? `: ${body.error.slice(0, 200)}` : '';
  throw new Error(`Qiniu answered ${status} to ${request.name}${body ? reason : ' without JSON'}`);
}

function exchangeAny(origins: readonly string[], request: Call, deadline: number): Promise<Answer> {
  return tryEach(origins, deadline, async (origin, left) => {
    const answer = await exchange({ ...request.at(origin), ...rules, timeoutMs: deadline - Date.now() });
    if (left > 1 && hostFailures.has(answer.status)) throw new Error(`${origin} answered ${answer.status}`);
    return answer;
  });
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  if (bytes.length === 0) return {};
  try {
    const body: unknown = JSON.parse(bytes.toString());
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined;
  } catch {
    return undefined;
  }
}

/** The form that uploads a file (developer.qiniu.com/kodo/1312/upload). The file's bytes are not copied. */
export function createUploadForm(
  fields: Record<string, string>,
  bytes: Uint8Array,
  contentType: string,
): Pick<Exchange, 'headers' | 'body'> {
  const boundary = `form-${randomBytes(16).toString('hex')}`;
  const part = (disposition: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${content}`;
  const head = Object.entries({ ...fields, crc32: String(crc32(bytes)) })
    .map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`))
    .concat(part('name="file"; filename="file"', `Content-Type: ${contentType}\r\n\r\n`))
    .join('');
  const body = [Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)];
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}

/** Reads a range of a URL, as far as the object has it. @param deadline in milliseconds since 1970 */
export async function readUrlRange(url: string, span: ByteSpan, deadline: number): Promise<Uint8Array> {
  // An encoded answer has other ranges than the stored bytes.
  const headers = { range: toRangeHeader(span), 'accept-encoding': 'identity' };
  const timeoutMs = deadline - Date.now();
  // A server may ignore the range and send the whole object; bytes after the range are not read.
  const answer = await exchange({ url, headers, timeoutMs, maxBytes: span.end, isCut: true });
  const { status, bytes } = answer;
  if (status === 416) return new Uint8Array();
  if (status === 200) return bytes.subarray(span.start, span.end);
  if (status !== 206) throw new Error(`the file's domain answered ${status}`);
  if (bringsRange(answer.headers['content-range'], bytes.length, span)) return bytes;
  throw new Error("the file's domain answered another range");
}
