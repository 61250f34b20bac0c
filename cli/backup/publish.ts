import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';

/** Codes of file systems without links, such as that of a USB stick. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Gives a complete file its name. @throws Error `EEXIST` */
export function publish(temporary: string, file: string): void {
  try {
    // Unlike a rename, it replaces nothing.
    linkSync(temporary, file);
  } catch (error) {
    if (!withoutLinks.has(Object(error).code) || existsSync(file)) throw error;
    renameSync(temporary, file);
    return;
  }
  rmSync(temporary);
}
