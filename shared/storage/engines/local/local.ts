import { type FileHandle, open, rm } from 'node:fs/promises';
import { uploadTransport } from '#shared/config/upload.ts';
import { ObjectExistsError, type StorageEngine } from '../../engine.ts';
import { reportUnavailable } from '../../failures.ts';
import { hasCode, readBytes, removeDrafts, sizeOf, writeNew } from './files.ts';
import { openFolders, toObjectFile, toPartsFolder } from './folders.ts';
import { endOf, holdsAt, keepPart, listParts } from './parts.ts';

export interface LocalOptions {
  /** Folder of `storage/` and `public/storage`; undefined where no lasting disk is known. */
  storageDir: string | undefined;
  /** Base URL of this site, whose part endpoint takes direct uploads. */
  publicUrl: string;
}

/** What a part was received with. */
export type PartOutcome =
  /** Bytes received so far. */
  | { isKept: true; offset: number }
  /** Where the next part has to begin. */
  | { isKept: false; expected: number };

/** Files on a disk of this service; it takes direct uploads in parts by itself. */
export interface LocalEngine extends StorageEngine {
  /** Bytes received of an object, all of them once it is settled. */
  receivedBytes(key: string): Promise<number>;
  /** Receives a part; the same part again changes nothing. */
  receivePart(key: string, offset: number, bytes: Uint8Array): Promise<PartOutcome>;
  /** Removes what writes have left that were cut off before a moment. */
  removeDrafts(before: Date): Promise<void>;
}

/** Path of the endpoint that receives parts. */
const partPath = '/api/system/upload/part';

/**
 * @throws AppError `storage.not_configured` where the folders are not there or cannot be written; never does
 *   it fall back to a temporary disk
 */
export function createLocalEngine({ storageDir, publicUrl }: LocalOptions): LocalEngine {
  const folders = openFolders(storageDir);
  const fileOf = (key: string) => toObjectFile(folders, key);
  const partsOf = (key: string) => toPartsFolder(folders, key);
  const dropParts = (key: string) => rm(partsOf(key), { recursive: true, force: true });

  /** Makes the object of its parts; nothing happens unless all of them are there. */
  async function assemble(key: string, sizeBytes: number): Promise<void> {
    const parts = await listParts(partsOf(key));
    if (endOf(parts) !== sizeBytes) return;
    try {
      await writeNew(fileOf(key), folders.parts, async (handle) => {
        const room = Buffer.allocUnsafe(copyBytes);
        for (const { file } of parts) await append(handle, file, room);
      });
    } catch (error) {
      // Somebody else has just done the same, and may have removed the parts since.
      if (!(error instanceof ObjectExistsError || error instanceof PartGoneError)) throw error;
    }
  }

  async function receivePart(key: string, offset: number, bytes: Uint8Array): Promise<PartOutcome> {
    const settled = await sizeOf(fileOf(key));
    if (settled !== undefined) {
      const isSame = offset + bytes.length <= settled && (await holdsAt(fileOf(key), offset, bytes));
      return isSame ? { isKept: true, offset: settled } : { isKept: false, expected: settled };
    }
    const received = await keepPart(partsOf(key), folders.parts, offset, bytes);
    if (received !== undefined) return { isKept: true, offset: received };
    return { isKept: false, expected: endOf(await listParts(partsOf(key))) };
  }

  const engine: LocalEngine = {
    name: 'local',
    put: (key, bytes) => writeNew(fileOf(key), folders.parts, (handle) => handle.writeFile(bytes)),
    async stat(key) {
      const sizeBytes = await sizeOf(fileOf(key));
      return sizeBytes === undefined ? undefined : { sizeBytes };
    },
    readRange: (key, start, end) => readBytes(fileOf(key), start, end),
    async delete(key) {
      await rm(fileOf(key), { force: true });
      await dropParts(key);
    },
    async directTicket({ ticket }) {
      const url = `${publicUrl}${partPath}?ticket=${encodeURIComponent(ticket)}`;
      return {
        url,
        headers: {},
        fields: { ticket },
        file_field: 'file',
        part_size: uploadTransport.partSizeBytes,
      };
    },
    async settle(key, sizeBytes) {
      if (!(await engine.stat(key))) await assemble(key, sizeBytes);
      const settled = await engine.stat(key);
      if (settled) await dropParts(key);
      return settled;
    },
    publicUrl: (key) => `storage/${key}`,
    async receivedBytes(key) {
      return (await sizeOf(fileOf(key))) ?? endOf(await listParts(partsOf(key)));
    },
    async receivePart(key, offset, bytes) {
      try {
        return await receivePart(key, offset, bytes);
      } catch (error) {
        // The object or its parts were deleted meanwhile.
        if (!hasCode(error, 'ENOENT')) throw error;
        return { isKept: false, expected: endOf(await listParts(partsOf(key))) };
      }
    },
    removeDrafts: (before) => removeDrafts(folders.parts, before),
  };
  return wrapFailures(engine);
}

/** How much of a part is copied at a time. */
const copyBytes = 1_048_576;

/** A part was removed while it was read. */
class PartGoneError extends Error {}

/** @param room what is copied goes through it: a new one each time would hold as much memory as the file is long */
async function append(target: FileHandle, part: string, room: Buffer): Promise<void> {
  const source = await openPart(part);
  try {
    for (let length = -1; length !== 0; ) {
      length = (await source.read(room)).bytesRead;
      await target.appendFile(room.subarray(0, length));
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

/** The same engine with every failure of the disk as `storage.unavailable`. */
function wrapFailures(engine: LocalEngine): LocalEngine {
  const guard =
    <Args extends unknown[], Result>(operation: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      reportUnavailable(() => operation(...args));
  return {
    ...engine,
    put: guard(engine.put),
    stat: guard(engine.stat),
    readRange: guard(engine.readRange),
    delete: guard(engine.delete),
    settle: guard(engine.settle),
    receivedBytes: guard(engine.receivedBytes),
    receivePart: guard(engine.receivePart),
    removeDrafts: guard(engine.removeDrafts),
  };
}
