import type { ContentSource } from '../content-source.ts';

/**
 * The bytes of a range, from the head where it holds them.
 *
 * @returns undefined where the file has no such range, or fewer bytes came than were asked for
 */
export async function readBytes(
  source: ContentSource,
  start: number,
  end: number,
): Promise<Buffer | undefined> {
  if (start < 0 || end > source.sizeBytes || start >= end) return undefined;
  const { head } = source;
  const bytes = end <= head.length ? head.subarray(start, end) : await source.readRange(start, end);
  if (bytes.length !== end - start) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
