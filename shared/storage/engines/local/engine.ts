import { rm } from 'node:fs/promises';
import { uploadTransport } from '#shared/config/upload.ts';
import { guard, type StorageEngine } from '../../engine.ts';
import { readBytes, removeTemporaryFiles, sizeOf, writeNew } from './files.ts';
import { placeOf, type StorageFolders } from './folders.ts';
import { assemble, countReceived, receivePart } from './parts.ts';

/** Files on a disk of this service, which receives direct uploads in parts. */
export function createLocalEngine(folders: StorageFolders): Required<StorageEngine> {
  const find = (key: string) => placeOf(folders, key);
  const dropParts = (key: string) => rm(find(key).partsFolder, { recursive: true, force: true });

  async function stat(key: string) {
    const sizeBytes = await sizeOf(find(key).file);
    return sizeBytes === undefined ? undefined : { sizeBytes };
  }

  return {
    put: guard(async (key, bytes) => writeNew(find(key).file, folders.parts, bytes)),
    stat: guard(stat),
    readRange: guard(async (key, start, end) => readBytes(find(key).file, start, end)),
    delete: guard(async (key) => {
      await rm(find(key).file, { force: true });
      await dropParts(key);
    }),
    async directTicket({ ticket, partUrl }) {
      const url = `${partUrl}?ticket=${encodeURIComponent(ticket)}`;
      const part_size = uploadTransport.partSizeBytes;
      return { url, headers: {}, fields: { ticket }, file_field: 'file', part_size };
    },
    finalise: guard(async (key, sizeBytes) => {
      if (!(await stat(key))) await assemble(find(key), sizeBytes);
      const found = await stat(key);
      if (found) await dropParts(key);
      return found;
    }),
    publicUrl: (key) => `storage/${key}`,
    parts: {
      receivedBytes: guard(
        async (key) => (await stat(key))?.sizeBytes ?? countReceived(find(key).partsFolder),
      ),
      receivePart: guard(async (key, offset, bytes) => receivePart(find(key), offset, bytes)),
      removeTemporaryFiles: guard((before) => removeTemporaryFiles(folders.parts, before)),
    },
  };
}
