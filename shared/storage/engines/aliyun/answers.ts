import { type ByteSpan, bringsRange } from '../../content-range.ts';
import { TransportError } from './transport.ts';

/** An answer of the SDK, as far as it is of use. */
interface Answered {
  res: { status: number; headers: object };
}

/** What a HEAD tells of an object. */
export interface ObjectHead {
  sizeBytes: number;
  contentType: string;
  /** Whether whoever fetches it is told to decode it. */
  isEncoded: boolean;
}

/** @throws TransportError when the answer names no size */
export function readHead({ res }: Answered): ObjectHead {
  const length = headerOf(res.headers, 'content-length');
  if (!/^\d{1,15}$/.test(length)) throw new TransportError('the answer does not tell the size of the object');
  return {
    sizeBytes: Number(length),
    contentType: headerOf(res.headers, 'content-type').toLowerCase(),
    isEncoded: headerOf(res.headers, 'content-encoding') !== '',
  };
}

/**
 * The bytes that were asked for, as far as there are any; an answer may be the whole object.
 *
 * @throws TransportError when the answer brings others
 */
export function takeRange({ res, content }: Answered & { content?: unknown }, span: ByteSpan): Uint8Array {
  if (!Buffer.isBuffer(content)) throw new TransportError('the answer brings no bytes');
  if (res.status === 200) return content.subarray(span.start, span.end);
  if (bringsRange(headerOf(res.headers, 'content-range'), content.length, span)) return content;
  throw new TransportError('the answer brings another range');
}

function headerOf(headers: object, name: string): string {
  const value: unknown = Reflect.get(headers, name);
  return typeof value === 'string' ? value : '';
}
