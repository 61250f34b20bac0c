import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../project.ts';

/** Source texts by their paths from the project's root. */
export type Sources = ReadonlyMap<string, string>;

/** The folder of a module, from the project's root. */
export const folderOf = (name: string): string => `modules/${name}`;

/** Writes the folder of a module at once, so that it never exists in part. */
export function writeFolder(folder: string, sources: Sources): void {
  inTemporary((temporary) => {
    for (const [file, text] of sources) {
      mkdirSync(dirname(join(temporary, file)), { recursive: true });
      writeFileSync(join(temporary, file), text);
    }
    move(join(temporary, folder), join(root, folder));
  });
}

/** Removes the folder of a module at once, so that it never exists in part. */
export function removeFolder(folder: string): void {
  inTemporary((temporary) => move(join(root, folder), join(temporary, folder)));
}

/** Runs work with a folder beside the sources, which is removed afterwards. */
function inTemporary(work: (folder: string) => void): void {
  mkdirSync(join(root, '.build'), { recursive: true });
  const folder = mkdtempSync(join(root, '.build', 'module-'));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}
