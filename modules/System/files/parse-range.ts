/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Longest header that is read, in characters. */
const longestHeader = 100;

/**
 * The bytes that a `Range` header asks for (RFC 9110, section 14).
 *
 * @returns undefined if the header is to be ignored: it is missing, unreadable, has another unit or several
 *   ranges; `unsatisfiable` if it begins behind the end, or is longer than any range of one file
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  if (header !== undefined && header.length > longestHeader) return 'unsatisfiable';
  const [, first = '', last = ''] =
    /^bytes\s*=\s*(?:(\d{1,15})\s*)?-\s*(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes) };
}
