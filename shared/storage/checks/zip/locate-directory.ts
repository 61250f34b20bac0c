import type { ContentSource } from '../content-source.ts';
import { readBytes } from './read-bytes.ts';

/** Where a zip's central directory lies, and how many files it says it has. */
export interface DirectoryPlace {
  start: number;
  sizeBytes: number;
  entries: number;
}

const end = { signature: 0x0605_4b50, bytes: 22 };
const longestComment = 0xffff;
const locator64 = { signature: 0x0706_4b50, bytes: 20 };
const end64 = { signature: 0x0606_4b50, bytes: 56 };

/**
 * Finds a zip's central directory by the record at its end, which has to end with the file.
 *
 * @returns undefined where there is none, where it is spread over several files, or does not end where the
 *   record begins
 */
export async function locateDirectory(source: ContentSource): Promise<DirectoryPlace | undefined> {
  const tailStart = Math.max(0, source.sizeBytes - end.bytes - longestComment);
  const tail = await readBytes(source, tailStart, source.sizeBytes);
  const at = tail && findEnd(tail);
  if (!tail || at === undefined) return undefined;
  const short = readEnd(tail, at);
  const locatorStart = tailStart + at - locator64.bytes;
  const locator = await readRecord(source, locatorStart, locator64);
  if (!locator) return endsAt(short, tailStart + at);
  const recordStart = locatorStart - end64.bytes;
  if (Number(locator.readBigUInt64LE(8)) !== recordStart) return undefined;
  const long = await readEnd64(source, recordStart);
  return long && agree(short, long) ? endsAt(long, recordStart) : undefined;
}

function endsAt(place: DirectoryPlace | undefined, recordStart: number): DirectoryPlace | undefined {
  return place && place.start + place.sizeBytes === recordStart ? place : undefined;
}

/** Whether every number of the short record is the long one's, or the sign that it has no room for it. */
function agree(short: DirectoryPlace | undefined, long: DirectoryPlace): boolean {
  if (!short) return false;
  return (
    [0xffff, long.entries].includes(short.entries) &&
    [0xffff_ffff, long.sizeBytes].includes(short.sizeBytes) &&
    [0xffff_ffff, long.start].includes(short.start)
  );
}

/** The last place where the record and its comment fill the rest: the one that other readers take. */
function findEnd(tail: Buffer): number | undefined {
  for (let at = tail.length - end.bytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== end.signature) continue;
    if (at + end.bytes + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  return undefined;
}

function readEnd(tail: Buffer, at: number): DirectoryPlace | undefined {
  const isOneFile = tail.readUInt32LE(at + 4) === 0;
  const entries = tail.readUInt16LE(at + 10);
  if (!isOneFile || tail.readUInt16LE(at + 8) !== entries) return undefined;
  return { entries, sizeBytes: tail.readUInt32LE(at + 12), start: tail.readUInt32LE(at + 16) };
}

/** The same from the zip64 record, which some writers add whether they need it or not. */
async function readEnd64(source: ContentSource, at: number): Promise<DirectoryPlace | undefined> {
  const record = await readRecord(source, at, end64);
  if (!record) return undefined;
  const read = (offset: number) => Number(record.readBigUInt64LE(offset));
  const entries = read(32);
  return read(24) === entries ? { entries, sizeBytes: read(40), start: read(48) } : undefined;
}

async function readRecord(
  source: ContentSource,
  start: number,
  { signature, bytes }: { signature: number; bytes: number },
): Promise<Buffer | undefined> {
  const record = await readBytes(source, start, start + bytes);
  return record?.readUInt32LE(0) === signature ? record : undefined;
}
