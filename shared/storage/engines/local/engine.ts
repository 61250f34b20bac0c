import { guard, type StorageEngine } from '../../engine.ts';
import { isPrivatePath } from '../../naming/object-path.ts';
import { readBytes, writeNew } from './files.ts';
import { type StorageFolders, toObjectPaths } from './folders.ts';
import { listObjects, receiveDirectUploads, removeObject, statObject } from './parts.ts';
import { signLink } from './signed-link.ts';

/** Files on a disk of this service, which receives direct uploads in parts. */
export function createLocalEngine(folders: StorageFolders): Required<StorageEngine> {
  const find = (key: string) => toObjectPaths(folders, key);

  return {
    put: guard(async (key, bytes) => writeNew(find(key).file, folders.parts, bytes)),
    stat: guard(async (key) => statObject(find(key))),
    readRange: guard(async (key, start, end) => readBytes(find(key).file, start, end)),
    delete: guard(async (key) => removeObject(find(key))),
    list: () => listObjects(folders),
    publicUrl: (key) => (isPrivatePath(key) ? null : `storage/${key}`),
    signedUrl: async (key, link) => signLink(key, link),
    origins: async () => ({ uploads: [], files: [] }),
    ...receiveDirectUploads(folders),
  };
}
