import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ObjectExistsError } from '../../engine.ts';
import { hasCode, readBytes, sizeOf, writeNew } from './files.ts';

/** A received part of a file; the file's name is the offset. */
interface Part {
  file: string;
  offset: number;
  sizeBytes: number;
}

/** The parts of a folder in order, up to the first gap. */
async function listParts(folder: string): Promise<Part[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  const offsets = names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  const parts: Part[] = [];
  for (const offset of offsets) {
    const file = join(folder, String(offset));
    if (offset === endOf(parts)) parts.push({ file, offset, sizeBytes: (await sizeOf(file)) ?? 0 });
  }
  return parts;
}

const endOf = (parts: readonly Part[]): number => {
  const last = parts.at(-1);
  return last ? last.offset + last.sizeBytes : 0;
};

/** Bytes received so far. */
export const countReceived = async (folder: string): Promise<number> => endOf(await listParts(folder));

/** How a part was received. */
export type PartOutcome =
  /** Bytes received so far. */
  | { isKept: true; offset: number }
  /** Where the next part has to begin. */
  | { isKept: false; expected: number };

/**
 * Receives a part; the same part again changes nothing.
 *
 * @param file the object, which exists once it is settled
 * @param folder of its parts
 * @param scratch a folder of the same file system
 */
export async function receivePart(
  file: string,
  folder: string,
  scratch: string,
  offset: number,
  bytes: Uint8Array,
): Promise<PartOutcome> {
  try {
    const settled = await sizeOf(file);
    if (settled !== undefined) {
      const isSame = offset + bytes.length <= settled && (await holdsAt(file, offset, bytes));
      return isSame ? { isKept: true, offset: settled } : { isKept: false, expected: settled };
    }
    const received = await keepPart(folder, scratch, offset, bytes);
    if (received !== undefined) return { isKept: true, offset: received };
  } catch (error) {
    // The object or its parts were deleted meanwhile.
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return { isKept: false, expected: await countReceived(folder) };
}

/**
 * Keeps a part that begins where the received bytes end. Every part is its own file, which appears whole: of
 * parts that arrive at the same time one is kept, and none is ever half written.
 *
 * @returns the bytes received so far; undefined if the part neither follows them nor repeats one of them
 */
async function keepPart(
  folder: string,
  scratch: string,
  offset: number,
  bytes: Uint8Array,
): Promise<number | undefined> {
  const parts = await listParts(folder);
  const same = parts.find((part) => part.offset === offset);
  if (same) return (await holds(same.file, bytes)) ? endOf(parts) : undefined;
  if (offset !== endOf(parts)) return undefined;
  const file = join(folder, String(offset));
  await mkdir(folder, { recursive: true });
  try {
    await writeNew(file, scratch, (handle) => handle.writeFile(bytes));
  } catch (error) {
    if (!(error instanceof ObjectExistsError)) throw error;
    if (!(await holds(file, bytes))) return undefined;
  }
  return offset + bytes.length;
}

/** Whether a file holds exactly these bytes. */
async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  if ((await sizeOf(file)) !== bytes.length) return false;
  return Buffer.compare(await readBytes(file, 0, bytes.length), bytes) === 0;
}

/** Whether a file holds these bytes at an offset. */
async function holdsAt(file: string, offset: number, bytes: Uint8Array): Promise<boolean> {
  return Buffer.compare(await readBytes(file, offset, offset + bytes.length), bytes) === 0;
}

/** How many bytes are copied at a time. */
const copyBytes = 1_048_576;

/** A part was removed while it was read. */
class PartGoneError extends Error {}

/**
 * Makes a file of its parts. Does nothing unless all of them have arrived.
 *
 * @param scratch a folder of the same file system
 */
export async function assemble(
  folder: string,
  sizeBytes: number,
  file: string,
  scratch: string,
): Promise<void> {
  const parts = await listParts(folder);
  if (endOf(parts) !== sizeBytes) return;
  try {
    await writeNew(file, scratch, async (handle) => {
      // One buffer for all: new ones would take as much memory as the file is long.
      const buffer = Buffer.allocUnsafe(copyBytes);
      for (const part of parts) await append(handle, part.file, buffer);
    });
  } catch (error) {
    // Another call has just done the same, and may have removed the parts since.
    if (!(error instanceof ObjectExistsError || error instanceof PartGoneError)) throw error;
  }
}

async function append(target: FileHandle, part: string, buffer: Buffer): Promise<void> {
  const source = await openPart(part);
  try {
    for (let length = -1; length !== 0; ) {
      length = (await source.read(buffer)).bytesRead;
      await target.appendFile(buffer.subarray(0, length));
    }
  } finally {
    await source.close();
  }
}

async function openPart(part: string): Promise<FileHandle> {
  try {
    return await open(part, 'r');
  } catch (error) {
    throw hasCode(error, 'ENOENT') ? new PartGoneError(undefined, { cause: error }) : error;
  }
}
