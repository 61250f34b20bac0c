import type { ContentSource } from '../content-source.ts';
import { locateDirectory } from './locate-directory.ts';
import { readBytes } from './read-bytes.ts';

/** One file of a zip, as the directory has it. */
export interface ZipEntry {
  name: string;
  compressedBytes: number;
  /** Where its local header begins. */
  start: number;
}

const header = { signature: 0x0201_4b50, bytes: 46 };
const localHeaderBytes = 30;
const maximumEntries = 10_000;
/** Most bytes of a directory that are read, all at once; 10,000 parts of an Office file take about half. */
const maximumDirectoryBytes = 2 * 1_048_576;
const absent = 0xffff_ffff;

/**
 * Reads the directory of a zip; nothing is unpacked, so a bomb costs what its directory does.
 *
 * @returns undefined where it is broken, too large or lies: wrong counts, encrypted or doubled files, files
 *   that do not fit before the directory without lying over each other
 */
export async function readDirectory(source: ContentSource): Promise<ZipEntry[] | undefined> {
  const place = await locateDirectory(source);
  if (!place || place.sizeBytes > maximumDirectoryBytes || place.entries > maximumEntries) return undefined;
  const bytes = await readBytes(source, place.start, place.start + place.sizeBytes);
  const entries = bytes && readEntries(bytes);
  if (entries?.length !== place.entries) return undefined;
  const filled = entries.reduce(
    (sum, { name, compressedBytes }) => sum + localHeaderBytes + name.length + compressedBytes,
    0,
  );
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  return filled <= place.start && names.size === entries.length ? entries : undefined;
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
    entries.push({ name, ...readPlace(bytes, at, bytes.subarray(nameEnd, extraEnd)) });
    at = next;
  }
  return entries;
}

/** Size and start, from the zip64 field where the header has no room for them. */
function readPlace(bytes: Buffer, at: number, extra: Buffer): Omit<ZipEntry, 'name'> {
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
