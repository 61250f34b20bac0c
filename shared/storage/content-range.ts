const contentRange = /^bytes (\d+)-(\d+)\/(\d+)$/;

/** Bytes from `start` up to, not including, `end`. */
export interface ByteSpan {
  start: number;
  end: number;
}

/** The value of the header `range`. */
export const toRangeHeader = ({ start, end }: ByteSpan): string => `bytes=${start}-${end - 1}`;

/**
 * Whether a 206 brings what was asked for: all of it, or all that there is of it.
 *
 * @param header its header `content-range`
 * @param sizeBytes what it brought
 */
export function bringsRange(
  header: string | undefined,
  sizeBytes: number,
  { start, end }: ByteSpan,
): boolean {
  const [first, last, total = 0] = (contentRange.exec(header ?? '') ?? []).slice(1).map(Number);
  return first === start && last === Math.min(end, total) - 1 && sizeBytes === last - first + 1;
}
