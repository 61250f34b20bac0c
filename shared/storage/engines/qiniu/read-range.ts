import { exchange } from '#shared/net/exchange.ts';
import { type ByteSpan, bringsRange, toRangeHeader } from '../../content-range.ts';

/**
 * Reads bytes of a URL; none where it ends before them.
 *
 * @param deadline when to give up, in milliseconds since 1970
 * @throws Error for any other answer, and for fewer bytes than there are
 */
export async function readUrlRange(url: string, span: ByteSpan, deadline: number): Promise<Uint8Array> {
  // What is encoded on its way has other ranges than what is stored.
  const headers = { range: toRangeHeader(span), 'accept-encoding': 'identity' };
  const timeoutMs = deadline - Date.now();
  // A server may ignore the range and send all, of which nothing behind its end is read.
  const answer = await exchange({ url, headers, timeoutMs, maxBytes: span.end, isCut: true });
  const { status, bytes } = answer;
  if (status === 416) return new Uint8Array();
  if (status === 200) return bytes.subarray(span.start, span.end);
  if (status !== 206) throw new Error(`the file's domain answered ${status}`);
  if (bringsRange(answer.headers['content-range'], bytes.length, span)) return bytes;
  throw new Error("the file's domain answered another range");
}
