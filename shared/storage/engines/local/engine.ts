import { rm } from 'node:fs/promises';
import { uploadTransport } from '#shared/config/upload.ts';
import { guard, type PartReceiver, type StorageEngine } from '../../engine.ts';
import { readBytes, removeTemporaryFiles, sizeOf, writeNew } from './files.ts';
import { type StorageFolders, toObjectFile, toPartsFolder } from './folders.ts';
import { assemble, countReceived, receivePart } from './parts.ts';

/** Files on a disk of this service, which receives direct uploads in parts. */
export interface LocalEngine extends StorageEngine {
  parts: PartReceiver;
}

export function createLocalEngine(folders: StorageFolders): LocalEngine {
  const fileOf = (key: string) => toObjectFile(folders, key);
  const partsOf = (key: string) => toPartsFolder(folders, key);
  const dropParts = (key: string) => rm(partsOf(key), { recursive: true, force: true });

  async function stat(key: string) {
    const sizeBytes = await sizeOf(fileOf(key));
    return sizeBytes === undefined ? undefined : { sizeBytes };
  }

  return {
    put: guard((key, bytes) => writeNew(fileOf(key), folders.parts, bytes)),
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
    finalise: guard(async (key, sizeBytes) => {
      if (!(await stat(key))) await assemble(partsOf(key), sizeBytes, fileOf(key), folders.parts);
      const found = await stat(key);
      if (found) await dropParts(key);
      return found;
    }),
    publicUrl: (key) => `storage/${key}`,
    parts: {
      receivedBytes: guard(async (key) => (await sizeOf(fileOf(key))) ?? countReceived(partsOf(key))),
      receivePart: guard((key, offset, bytes) =>
        receivePart(fileOf(key), partsOf(key), folders.parts, offset, bytes),
      ),
      removeTemporaryFiles: guard((before) => removeTemporaryFiles(folders.parts, before)),
    },
  };
}
