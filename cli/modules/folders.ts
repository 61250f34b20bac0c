import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toRoutePrefix } from '#shared/module/module.ts';
import { root } from '../project.ts';

/** Source texts by their paths from the project's root. */
export type Sources = ReadonlyMap<string, string>;

/** The folders of a module, from the project's root: its own, and that of its tests. */
export const foldersOf = (name: string) => ({
  sources: `modules/${name}`,
  tests: `test/unit/modules/${toRoutePrefix(name)}`,
});

/** Writes folders, each at once, so that none is ever there in part. */
export function writeFolders(folders: readonly string[], sources: Sources): void {
  inTemporary((temporary) => {
    for (const [file, text] of sources) {
      mkdirSync(dirname(join(temporary, file)), { recursive: true });
      writeFileSync(join(temporary, file), text);
    }
    for (const folder of folders) move(join(temporary, folder), join(root, folder));
  });
}

/** Removes folders, each at once, so that none is ever there in part. */
export function removeFolders(folders: readonly string[]): void {
  inTemporary((temporary) => {
    for (const folder of folders) move(join(root, folder), join(temporary, folder));
  });
}

/** Hands a folder beside the sources over, which is gone afterwards. */
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
