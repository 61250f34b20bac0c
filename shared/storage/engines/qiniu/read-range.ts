import { exchange } from './exchange.ts';

const contentRange = /^bytes (\d+)-(\d+)\/(\d+)$/;

/**
 * Reads bytes of a URL from `start` up to, not including, `end`; none where it ends before `start`.
 *
 * @param deadline when to give up, in milliseconds since 1970
 * @throws Error for any other answer, and for fewer bytes than there are
 */
export async function readUrlRange(
  url: string,
  start: number,
  end: number,
  deadline: number,
): Promise<Uint8Array> {
  // What is encoded on its way has other ranges than what is stored.
  const headers = { range: `bytes=${start}-${end - 1}`, 'accept-encoding': 'identity' };
  const { status, headers: answered, bytes } = await exchange({ url, headers, deadline, maxBytes: end });
  if (status === 416) return new Uint8Array();
  // A server may ignore the range and send all; nothing behind its end was read.
  if (status === 200) return bytes.subarray(start, end);
  if (status !== 206) throw new Error(`the file's domain answered ${status}`);
  const [first, last, total] = (contentRange.exec(answered['content-range'] ?? '') ?? [])
    .slice(1)
    .map(Number);
  const isWhole =
    first === start && last === Math.min(end, total ?? 0) - 1 && bytes.length === last - first + 1;
  if (!isWhole) throw new Error("the file's domain answered another range");
  return bytes;
}
