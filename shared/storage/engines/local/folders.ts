import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { notConfigured } from '../../failures.ts';
import { isObjectPath } from '../../naming/object-path.ts';

/** The folders of local storage. */
export interface StorageFolders {
  /** `storage/`: all that is written. */
  home: string;
  /** `storage/public/`: the objects. */
  objects: string;
  /** `storage/parts/`: what is still being received. */
  parts: string;
  /** `public/storage`: the public link to the objects; what it leads to is the root of all that is served. */
  link: string;
}

/** Where the folders are, whether they exist or not. */
export function locateFolders(storageDir: string): StorageFolders {
  const home = join(storageDir, 'storage');
  return {
    home,
    objects: join(home, 'public'),
    parts: join(home, 'parts'),
    link: join(storageDir, 'public', 'storage'),
  };
}

/**
 * The folders, once both `storage/` and `public/storage/` are there and may be written (specification, "Media
 * URL conversion rules" 5).
 *
 * @param storageDir undefined where no lasting disk is known
 * @throws AppError `storage.not_configured`
 */
export function openFolders(storageDir: string | undefined): StorageFolders {
  if (!storageDir) throw notConfigured('STORAGE_DIR is not set');
  const folders = locateFolders(storageDir);
  const { home, objects, parts, link } = folders;
  for (const folder of [home, objects, parts, link]) {
    if (!isWritable(folder)) throw notConfigured(`${folder} is no folder that can be written`);
  }
  if (realpathSync(link) !== realpathSync(objects))
    throw notConfigured(`${link} does not lead to ${objects}`);
  return folders;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** The file of an object. @throws Error for a key that `createObjectPath` did not make */
export function toObjectFile({ objects }: StorageFolders, key: string): string {
  assertKey(key);
  return join(objects, key);
}

/** The folder of the parts of an object that is still being received. */
export function toPartsFolder({ parts }: StorageFolders, key: string): string {
  assertKey(key);
  return join(parts, basename(key));
}

function assertKey(key: string): void {
  if (!isObjectPath(key)) throw new Error('a key that was not made here');
}
