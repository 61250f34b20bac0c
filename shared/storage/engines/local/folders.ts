import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { environment } from '#shared/config/environment.ts';
import { notConfigured } from '../../engine.ts';
import { isPrivatePath, isStoredPath } from '../../naming/object-path.ts';

/** The folders of an engine on a disk, in one file system. */
export interface ObjectFolders {
  /** Holds the others, and the folder `private/` of private objects. */
  home: string;
  /** The public objects. Only this folder may be served to everybody. */
  objects: string;
  /** Received parts of files, and temporary files. */
  parts: string;
}

/** The folders of local storage: in `storage/`, `public/` for public objects and `parts/` for parts. */
export interface StorageFolders extends ObjectFolders {
  /** `public/storage`: the public link to the objects. Files are served only from its target. */
  link: string;
}

/** The paths of the folders; they need not exist. */
export function locateFolders(storageDir: string): StorageFolders {
  const home = join(storageDir, 'storage');
  const link = join(storageDir, 'public', 'storage');
  return { home, objects: join(home, 'public'), parts: join(home, 'parts'), link };
}

/** The folders of `STORAGE_DIR`; on a mounted disk, creates them. @throws AppError `storage.not_configured` */
export function prepareFolders(): StorageFolders {
  const { storageDir, isDeployed } = environment();
  if (isDeployed && storageDir) linkStorage(storageDir);
  return openFolders(storageDir);
}

/**
 * Checks that the folders exist and can be written (specification, "Media URL conversion rules" 5).
 *
 * @param storageDir undefined if no lasting disk is known: a temporary one is never used instead
 * @throws AppError `storage.not_configured`
 */
export function openFolders(storageDir: string | undefined): StorageFolders {
  if (!storageDir) throw notConfigured('STORAGE_DIR is not set');
  const folders = locateFolders(storageDir);
  const { home, objects, parts, link } = folders;
  for (const folder of [home, objects, parts, link]) assertWritable(folder);
  if (toTarget(link) === realpathSync(objects)) return folders;
  throw notConfigured(`${link} does not lead to ${objects}`);
}

/**
 * Creates a folder with the folders `public` and `parts`; the folder above it has to exist. Idempotent.
 *
 * @throws AppError `storage.not_configured`
 */
export function createObjectFolders(path: string): ObjectFolders {
  const folders = { home: path, objects: join(path, 'public'), parts: join(path, 'parts') };
  for (const folder of Object.values(folders)) {
    try {
      // Not recursive: below /proc that never ends.
      if (!existsSync(folder)) mkdirSync(folder);
    } catch (error) {
      // Another process may have created it meanwhile.
      if (!existsSync(folder)) throw notConfigured(`${folder} cannot be created: ${String(error)}`);
    }
    assertWritable(folder);
  }
  return folders;
}

function assertWritable(folder: string): void {
  if (!isWritable(folder)) throw notConfigured(`${folder} is not a folder that can be written`);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Creates the folders of local storage and the public link to its objects (the same rule 5). Idempotent.
 *
 * @returns whether the link was created
 * @throws Error if `public/storage` leads elsewhere; AppError `storage.not_configured` if a folder cannot be written
 */
export function linkStorage(storageDir: string): boolean {
  const { objects, parts, link } = locateFolders(storageDir);
  for (const folder of [objects, parts, dirname(link)]) mkdirSync(folder, { recursive: true });
  const isMissing = lstatSync(link, { throwIfNoEntry: false }) === undefined;
  if (isMissing) symlinkSync(relative(dirname(link), objects), link, 'dir');
  else if (toTarget(link) !== realpathSync(objects)) {
    throw new Error(`${link} exists and does not lead to ${objects}: remove it and try again`);
  }
  openFolders(storageDir);
  return isMissing;
}

/** Undefined if the target does not exist. */
function toTarget(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    return undefined;
  }
}

/** Where the bytes of an object lie. */
export interface ObjectPaths {
  file: string;
  /** The folder of its received parts. */
  partsFolder: string;
  /** A folder for temporary files, on the same file system. */
  scratch: string;
}

/** @throws Error for a key that is not from `createObjectPath` */
export function toObjectPaths({ home, objects, parts }: ObjectFolders, key: string): ObjectPaths {
  if (!isStoredPath(key)) throw new Error('not a key that this service made');
  const file = join(isPrivatePath(key) ? home : objects, key);
  return { file, partsFolder: join(parts, basename(key)), scratch: parts };
}
