import { rm } from 'node:fs/promises';
import { uploadTransport } from '#shared/config/upload.ts';
import { reportUnavailable, type StorageEngine } from '../../engine.ts';
import { hasCode, readBytes, removeTemporaryFiles, sizeOf, writeNew } from './files.ts';
import { type StorageFolders, toObjectFile, toPartsFolder } from './folders.ts';
import { assemble, endOf, holdsAt, keepPart, listParts } from './parts.ts';

/** How a part was received. */
export type PartOutcome =
  /** Bytes received so far. */
  | { isKept: true; offset: number }
  /** Where the next part has to begin. */
  | { isKept: false; expected: number };

/** Files on a disk of this service. It receives direct uploads in parts by itself. */
export interface LocalEngine extends StorageEngine {
  /** Bytes received of an object; all of them once it is settled. */
  receivedBytes(key: string): Promise<number>;
  /** Receives a part; the same part again changes nothing. */
  receivePart(key: string, offset: number, bytes: Uint8Array): Promise<PartOutcome>;
  /** Removes what interrupted writes have left before a moment. */
  removeTemporaryFiles(before: Date): Promise<void>;
}

/** Every failure of the disk is `storage.unavailable`. */
const guard =
  <Args extends unknown[], Result>(operation: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    reportUnavailable(() => operation(...args));

export function createLocalEngine(folders: StorageFolders): LocalEngine {
  const fileOf = (key: string) => toObjectFile(folders, key);
  const partsOf = (key: string) => toPartsFolder(folders, key);
  const dropParts = (key: string) => rm(partsOf(key), { recursive: true, force: true });
  const countReceived = async (key: string) => endOf(await listParts(partsOf(key)));

  async function stat(key: string) {
    const sizeBytes = await sizeOf(fileOf(key));
    return sizeBytes === undefined ? undefined : { sizeBytes };
  }

  async function receivePart(key: string, offset: number, bytes: Uint8Array): Promise<PartOutcome> {
    const settled = await sizeOf(fileOf(key));
    if (settled !== undefined) {
      const isSame = offset + bytes.length <= settled && (await holdsAt(fileOf(key), offset, bytes));
      return isSame ? { isKept: true, offset: settled } : { isKept: false, expected: settled };
    }
    const received = await keepPart(partsOf(key), folders.parts, offset, bytes);
    if (received !== undefined) return { isKept: true, offset: received };
    return { isKept: false, expected: await countReceived(key) };
  }

  return {
    put: guard((key, bytes) => writeNew(fileOf(key), folders.parts, (handle) => handle.writeFile(bytes))),
    stat: guard(stat),
    readRange: guard((key, start, end) => readBytes(fileOf(key), start, end)),
    delete: guard(async (key) => {
      await rm(fileOf(key), { force: true });
      await dropParts(key);
    }),
    async directTicket({ ticket, partUrl }) {
      const url = `${partUrl}?ticket=${encodeURIComponent(ticket)}`;
      const part_size = uploadTransport.partSizeBytes;
      return { url, headers: {}, fields: { ticket }, file_field: 'file', part_size };
    },
    settle: guard(async (key, sizeBytes) => {
      if (!(await stat(key))) await assemble(partsOf(key), sizeBytes, fileOf(key), folders.parts);
      const settled = await stat(key);
      if (settled) await dropParts(key);
      return settled;
    }),
    publicUrl: (key) => `storage/${key}`,
    receivedBytes: guard(async (key) => (await sizeOf(fileOf(key))) ?? countReceived(key)),
    receivePart: guard(async (key, offset, bytes) => {
      try {
        return await receivePart(key, offset, bytes);
      } catch (error) {
        // The object or its parts were deleted meanwhile.
        if (!hasCode(error, 'ENOENT')) throw error;
        return { isKept: false, expected: await countReceived(key) };
      }
    }),
    removeTemporaryFiles: guard((before) => removeTemporaryFiles(folders.parts, before)),
  };
}
