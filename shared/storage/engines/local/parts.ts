import { glob, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadTransport } from '#shared/config/upload.ts';
import {
  guard,
  ObjectExistsError,
  type PartOutcome,
  type StorageEngine,
  type StoredObject,
  unavailable,
} from '../../engine.ts';
import { isStoredPath } from '../../naming/object-path.ts';
import { hasCode, readBytes, removeTemporaryFiles, sizeOf, writeNew } from './files.ts';
import { type ObjectFolders, type ObjectPaths, toObjectPaths } from './folders.ts';

/** An object that is written completely; undefined if not found. */
export async function statObject({ file }: ObjectPaths): Promise<StoredObject | undefined> {
  const sizeBytes = await sizeOf(file);
  return sizeBytes === undefined ? undefined : { sizeBytes };
}

/** Keys of all objects; other files are left out. @throws AppError `storage.unavailable` */
export async function* listObjects({ home, objects }: ObjectFolders): AsyncGenerator<string> {
  try {
    for await (const path of glob('uploads/*/*/*', { cwd: objects })) if (isStoredPath(path)) yield path;
    for await (const path of glob('private/*/*/*', { cwd: home })) if (isStoredPath(path)) yield path;
  } catch (error) {
    throw unavailable(error);
  }
}

/** Removes an object and its received parts. Idempotent. */
export async function removeObject(paths: ObjectPaths): Promise<void> {
  await rm(paths.file, { force: true });
  await dropParts(paths);
}

const dropParts = ({ partsFolder }: ObjectPaths) => rm(partsFolder, { recursive: true, force: true });

/** The operations of direct uploads, for an engine on a disk: this service receives the files in parts. */
export function receiveDirectUploads(
  folders: ObjectFolders,
): Required<Pick<StorageEngine, 'directTicket' | 'finalise' | 'parts'>> {
  const find = (key: string) => toObjectPaths(folders, key);
  return {
    async directTicket({ ticket, partUrl }) {
      const url = `${partUrl}?ticket=${encodeURIComponent(ticket)}`;
      const part_size = uploadTransport.partSizeBytes;
      return { method: 'POST', url, headers: {}, fields: { ticket }, file_field: 'file', part_size };
    },
    finalise: guard(async (key, sizeBytes) => {
      const paths = find(key);
      if (!(await statObject(paths))) await assemble(paths, sizeBytes);
      const found = await statObject(paths);
      if (found) await dropParts(paths);
      return found;
    }),
    parts: {
      receivedBytes: guard(
        async (key) => (await statObject(find(key)))?.sizeBytes ?? countReceived(find(key).partsFolder),
      ),
      receivePart: guard(async (key, offset, bytes) => receivePart(find(key), offset, bytes)),
      removeTemporaryFiles: guard((before) => removeTemporaryFiles(folders.parts, before)),
    },
  };
}

/** A received part of an object; its file is named by its offset. */
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
  const offsets = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const parts: Part[] = [];
  for (const offset of offsets.sort((a, b) => a - b)) {
    const file = join(folder, String(offset));
    if (offset === endOf(parts)) parts.push({ file, offset, sizeBytes: (await sizeOf(file)) ?? 0 });
  }
  return parts;
}

function endOf(parts: readonly Part[]): number {
  const last = parts.at(-1);
  return last ? last.offset + last.sizeBytes : 0;
}

/** Bytes received so far. */
const countReceived = async (folder: string): Promise<number> => endOf(await listParts(folder));

/** Receives a part. Idempotent. The object's file exists after it is finalised. */
export async function receivePart(
  paths: ObjectPaths,
  offset: number,
  bytes: Uint8Array,
): Promise<PartOutcome> {
  try {
    const size = await sizeOf(paths.file);
    if (size !== undefined) {
      const isKept = offset + bytes.length <= size && (await holdsAt(paths.file, offset, bytes));
      return { isKept, offset: size };
    }
    const received = await keepPart(paths, offset, bytes);
    if (received !== undefined) return { isKept: true, offset: received };
  } catch (error) {
    // The object or its parts were deleted meanwhile.
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return { isKept: false, offset: await countReceived(paths.partsFolder) };
}

/**
 * Keeps a part that begins where the received bytes end. Every part is a file of its own, which appears whole: of two
 * parts at the same time, one is kept.
 *
 * @returns the bytes received so far; undefined if the part neither follows nor repeats received bytes
 */
async function keepPart({ partsFolder, scratch }: ObjectPaths, offset: number, bytes: Uint8Array) {
  const parts = await listParts(partsFolder);
  const same = parts.find((part) => part.offset === offset);
  if (same) return (await holds(same.file, bytes)) ? endOf(parts) : undefined;
  if (offset !== endOf(parts)) return undefined;
  const file = join(partsFolder, String(offset));
  try {
    await writeNew(file, scratch, bytes);
  } catch (error) {
    if (!(error instanceof ObjectExistsError)) throw error;
    if (!(await holds(file, bytes))) return undefined;
  }
  return offset + bytes.length;
}

/** Whether a file holds exactly these bytes. */
const holds = async (file: string, bytes: Uint8Array): Promise<boolean> =>
  (await sizeOf(file)) === bytes.length && holdsAt(file, 0, bytes);

/** Whether a file holds these bytes at an offset. */
const holdsAt = async (file: string, offset: number, bytes: Uint8Array): Promise<boolean> =>
  Buffer.compare(await readBytes(file, offset, offset + bytes.length), bytes) === 0;

/** A part was removed meanwhile. */
class PartGoneError extends Error {}

/** Writes an object from its parts. Does nothing if some are missing. */
async function assemble({ file, partsFolder, scratch }: ObjectPaths, sizeBytes: number): Promise<void> {
  const parts = await listParts(partsFolder);
  if (endOf(parts) !== sizeBytes) return;
  try {
    await writeNew(file, scratch, readParts(parts));
  } catch (error) {
    // Another call has done the same, and may have removed the parts.
    if (!(error instanceof ObjectExistsError || error instanceof PartGoneError)) throw error;
  }
}

const copyBytes = 1_048_576;

/** All bytes of the parts, in one buffer: new ones would take as much memory as the whole file. */
async function* readParts(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(copyBytes);
  for (const part of parts) {
    const source = await open(part.file, 'r').catch((error: unknown) => {
      throw hasCode(error, 'ENOENT') ? new PartGoneError(undefined, { cause: error }) : error;
    });
    try {
      for (let length = -1; length !== 0; ) {
        length = (await source.read(buffer)).bytesRead;
        yield buffer.subarray(0, length);
      }
    } finally {
      await source.close();
    }
  }
}
