/** Tags that point to further directories (Exif 3.0, section 4.6.3; TIFF 6.0). */
const gpsTag = 0x8825;
const childTags = new Set([0x8769, 0xa005, 0x014a]);

/** Bytes of a value by its type (TIFF 6.0, section 2); others are of one. */
const valueBytes: Record<number, number> = { 3: 2, 4: 4, 5: 8, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4 };

const entryBytes = 12;
// More than any camera writes; hostile data could ask for much work.
const mostDirectories = 64;
const mostGpsEntries = 64;
const mostValueBytes = 65_536;

/**
 * Removes the GPS directory of Exif data, and the entry that points to it. The size stays, other entries too. Hostile data
 * can lose entries, but nothing outside of these bytes changes.
 *
 * @param bytes from the TIFF header on; changed in place
 * @returns whether there was GPS data
 */
export function clearTiff(bytes: Buffer): boolean {
  const read = openReader(bytes);
  if (!read) return false;
  const gps: number[] = [];
  const seen = new Set<number>();
  const open = [read.u32(4)];
  while (open.length > 0 && seen.size < mostDirectories) {
    const at = open.pop() ?? 0;
    if (at < 8 || seen.has(at)) continue;
    seen.add(at);
    const count = Math.min(read.u16(at), Math.floor((bytes.length - at - 2) / entryBytes));
    const kept: number[] = [];
    for (let entry = at + 2; entry < at + 2 + count * entryBytes; entry += entryBytes) {
      const tag = read.u16(entry);
      if (tag !== gpsTag) kept.push(entry);
      else if (gps.length < mostDirectories) gps.push(read.u32(entry + 8));
      // Bounded, because each entry of hostile data could point to many.
      if (childTags.has(tag) && open.length < mostDirectories) open.push(...listOffsets(read, entry));
    }
    open.push(read.u32(at + 2 + count * entryBytes));
    if (kept.length < count) keepEntries(bytes, read, { at, count, kept });
  }
  for (const at of gps) clearDirectory(bytes, read, at);
  return gps.length > 0;
}

type Reader = NonNullable<ReturnType<typeof openReader>>;

/** Reads numbers in the byte order of the header, 0 behind the end. Undefined if it is no TIFF header. */
function openReader(bytes: Buffer) {
  const order = bytes.toString('latin1', 0, 4);
  const isLittle = order === 'II*\0';
  if (!isLittle && order !== 'MM\0*') return undefined;
  const holds = (at: number, size: number) => at >= 0 && at + size <= bytes.length;
  return {
    u16: (at: number) => {
      if (!holds(at, 2)) return 0;
      return isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
    },
    u32: (at: number) => {
      if (!holds(at, 4)) return 0;
      return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    },
    setU16: (at: number, value: number) =>
      isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at),
  };
}

/** Overwrites a directory, with its values, by zeros. */
function clearDirectory(bytes: Buffer, { u16, u32 }: Reader, at: number): void {
  if (at < 8 || at + 2 > bytes.length) return;
  const end = Math.min(at + 2 + Math.min(u16(at), mostGpsEntries) * entryBytes + 4, bytes.length);
  for (let entry = at + 2; entry + entryBytes <= end; entry += entryBytes) {
    const size = Math.min(u32(entry + 4) * (valueBytes[u16(entry + 2)] ?? 1), mostValueBytes);
    const start = u32(entry + 8);
    // Shorter values stand in the entry itself. The header stays.
    if (size > 4 && start >= 8)
      bytes.fill(0, Math.min(start, bytes.length), Math.min(start + size, bytes.length));
  }
  bytes.fill(0, at, end);
}

interface Directory {
  /** Where it begins. */
  at: number;
  count: number;
  /** Where the entries to keep begin, in order. */
  kept: readonly number[];
}

/** Moves the entries to keep, and the offset of the next directory, to the front. */
function keepEntries(bytes: Buffer, { setU16 }: Reader, { at, count, kept }: Directory): void {
  const end = at + 2 + count * entryBytes;
  let to = at + 2;
  for (const entry of kept) {
    bytes.copyWithin(to, entry, entry + entryBytes);
    to += entryBytes;
  }
  bytes.copyWithin(to, end, end + 4);
  bytes.fill(0, to + 4, Math.min(end + 4, bytes.length));
  setU16(at, kept.length);
}

/** The directories that an entry points to. */
function listOffsets({ u32 }: Reader, entry: number): number[] {
  const count = Math.min(u32(entry + 4), mostDirectories);
  if (count <= 1) return [u32(entry + 8)];
  return Array.from({ length: count }, (_, index) => u32(u32(entry + 8) + index * 4));
}
