import { lstatSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { locateFolders, openFolders } from './folders.ts';

/**
 * Makes the folders of local storage and the public link to its objects (specification, "Media URL conversion
 * rules" 5). May be repeated.
 *
 * @returns whether the link was made
 * @throws Error naming what stands in the way, where `public/storage` is there and is no link to the objects
 * @throws AppError `storage.not_configured` where the folders cannot be written
 */
export function linkStorage(storageDir: string): boolean {
  const { objects, parts, link } = locateFolders(storageDir);
  for (const folder of [objects, parts, dirname(link)]) mkdirSync(folder, { recursive: true });
  const isMissing = lstatSync(link, { throwIfNoEntry: false }) === undefined;
  if (isMissing) symlinkSync(relative(dirname(link), objects), link, 'dir');
  else if (toTarget(link) !== realpathSync(objects)) {
    throw new Error(`${link} is there and does not lead to ${objects}: remove it and try again`);
  }
  openFolders(storageDir);
  return isMissing;
}

function toTarget(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    return undefined; // A link to what is gone.
  }
}
