import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isObjectPath } from '../../naming/object-path.ts';
import { hasCode, readBytes } from './files.ts';
import { locateFolders } from './folders.ts';

/** A file as the public link shows it. */
export interface PublicFile {
  sizeBytes: number;
  /** Unix milliseconds. */
  modifiedAt: number;
  readRange(start: number, end: number): Promise<Uint8Array>;
}

/**
 * Opens an object by way of the public link, whose target is the root that no path leaves.
 *
 * @param path below the link, as `uploads/image/…`
 * @returns undefined for a path that was not made here, leads out of the root, or to no file
 */
export async function openPublicFile(storageDir: string, path: string): Promise<PublicFile | undefined> {
  if (!isObjectPath(path)) return undefined;
  try {
    const root = await realpath(locateFolders(storageDir).link);
    const file = await realpath(join(root, path));
    const found = await stat(file);
    if (!file.startsWith(root + sep) || !found.isFile()) return undefined;
    return {
      sizeBytes: found.size,
      modifiedAt: found.mtimeMs,
      readRange: (start, end) => readBytes(file, start, end),
    };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].some((code) => hasCode(error, code))) return undefined;
    throw error;
  }
}
