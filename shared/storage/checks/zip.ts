import type { OpenContent } from './content.ts';

export interface ZipEntry {
  name: string;
  compressedBytes: number;
  /** Where its local header begins. */
  start: number;
}

const header = { signature: 0x0201_4b50, bytes: 46 };
/** The header before each file's bytes. */
export const local = { signature: 0x0403_4b50, bytes: 30 };
const maximumEntries = 10_000;
/** A directory is read at once; that of 10,000 parts of an Office file takes about half of this. */
const maximumDirectoryBytes = 2 * 1_048_576;
const absent = 0xffff_ffff;

/**
 * Reads the directory of a zip, and unpacks nothing. Returns undefined if it is broken or too large, has wrong counts,
 * encrypted or repeated entries, or entries that must overlap.
 */
export async function readDirectory(source: OpenContent): Promise<ZipEntry[] | undefined> {
  const location = await locateDirectory(source);
  if (!location || location.sizeBytes > maximumDirectoryBytes || location.entries > maximumEntries)
    return undefined;
  const bytes = await readBytes(source, location.start, location.start + location.sizeBytes);
  const entries = bytes && readEntries(bytes);
  if (entries?.length !== location.entries) return undefined;
  let filled = 0;
  for (const { name, compressedBytes } of entries) filled += local.bytes + name.length + compressedBytes;
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  return filled <= location.start && names.size === entries.length ? entries : undefined;
}

function readEntries(bytes: Buffer): ZipEntry[] | undefined {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + header.bytes > bytes.length || bytes.readUInt32LE(at) !== header.signature) return undefined;
    const nameEnd = at + header.bytes + bytes.readUInt16LE(at + 28);
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
    const next = extraEnd + bytes.readUInt16LE(at + 32);
    const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
    if (next > bytes.length || isEncrypted) return undefined;
    const name = bytes.toString('latin1', at + header.bytes, nameEnd);
    entries.push({ name, ...readLocation(bytes, at, bytes.subarray(nameEnd, extraEnd)) });
    at = next;
  }
  return entries;
}

/** Size and start, from the zip64 field if they do not fit into the header. */
function readLocation(bytes: Buffer, at: number, extra: Buffer): Omit<ZipEntry, 'name'> {
  const short = [24, 20, 42].map((offset) => bytes.readUInt32LE(at + offset));
  const long = readZip64Field(extra);
  const [, compressedBytes = absent, start = absent] = short.map((value) =>
    value === absent ? (long.shift() ?? absent) : value,
  );
  return { compressedBytes, start };
}

function readZip64Field(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    const count = Math.min(3, Math.floor(field.length / 8));
    return Array.from({ length: count }, (_, index) => Number(field.readBigUInt64LE(index * 8)));
  }
  return [];
}

type DirectoryLocation = Record<'start' | 'sizeBytes' | 'entries', number>;

const end = { signature: 0x0605_4b50, bytes: 22 };
const longestComment = 0xffff;
const locator64 = { signature: 0x0706_4b50, bytes: 20 };
const end64 = { signature: 0x0606_4b50, bytes: 56 };

/**
 * Finds a zip's central directory by the record at its end, which must end with the file. Returns undefined if not
 * found, if it is spread over several files, or does not end where the record begins.
 */
async function locateDirectory(source: OpenContent): Promise<DirectoryLocation | undefined> {
  const tailStart = Math.max(0, source.sizeBytes - end.bytes - longestComment);
  const tail = await readBytes(source, tailStart, source.sizeBytes);
  const at = tail && findEnd(tail);
  if (!tail || at === undefined) return undefined;
  const entries = tail.readUInt16LE(at + 10);
  if (tail.readUInt32LE(at + 4) !== 0 || tail.readUInt16LE(at + 8) !== entries) return undefined;
  const short = { entries, sizeBytes: tail.readUInt32LE(at + 12), start: tail.readUInt32LE(at + 16) };
  const locatorStart = tailStart + at - locator64.bytes;
  const locator = await readRecord(source, locatorStart, locator64);
  if (!locator) return endsAt(short, tailStart + at);
  const recordStart = locatorStart - end64.bytes;
  const record = await readRecord(source, recordStart, end64);
  if (!record || Number(locator.readBigUInt64LE(8)) !== recordStart) return undefined;
  const long = readLongLocation(record, short);
  return long && endsAt(long, recordStart);
}

/** Reads the zip64 record, which some writers always add. Short numbers equal its own or mean "too large". */
function readLongLocation(record: Buffer, short: DirectoryLocation): DirectoryLocation | undefined {
  const [onThisDisk, entries = 0, sizeBytes = 0, start = 0] = [24, 32, 40, 48].map((offset) =>
    Number(record.readBigUInt64LE(offset)),
  );
  const isSame =
    onThisDisk === entries &&
    [0xffff, entries].includes(short.entries) &&
    [absent, sizeBytes].includes(short.sizeBytes) &&
    [absent, start].includes(short.start);
  return isSame ? { entries, sizeBytes, start } : undefined;
}

const endsAt = (location: DirectoryLocation, recordStart: number): DirectoryLocation | undefined =>
  location.start + location.sizeBytes === recordStart ? location : undefined;

/** The last offset where the record and its comment fill the rest of the file. Other readers search alike. */
function findEnd(tail: Buffer): number | undefined {
  for (let at = tail.length - end.bytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== end.signature) continue;
    if (at + end.bytes + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  return undefined;
}

async function readRecord(
  source: OpenContent,
  start: number,
  { signature, bytes }: { signature: number; bytes: number },
): Promise<Buffer | undefined> {
  const record = await readBytes(source, start, start + bytes);
  return record?.readUInt32LE(0) === signature ? record : undefined;
}

/** Reads a range, from the head if it holds it; undefined if the file has no such range, or fewer bytes arrive. */
export async function readBytes(
  source: OpenContent,
  start: number,
  end: number,
): Promise<Buffer | undefined> {
  if (start < 0 || end > source.sizeBytes || start >= end) return undefined;
  const { head } = source;
  const bytes = end <= head.length ? head.subarray(start, end) : await source.readRange(start, end);
  if (bytes.length !== end - start) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
