import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Runs work with a temporary folder on the disk of the project. */
export function inTemporary(root: string, work: (folder: string) => void): void {
  mkdirSync(join(root, '.build'), { recursive: true });
  const folder = mkdtempSync(join(root, '.build', 'writing-'));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The text of a file; undefined if it does not exist. */
export const readText = (root: string, file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

/**
 * Writes texts in their order, each file whole or not at all: nothing is changed before all texts are on the disk.
 *
 * @param texts by path from the root; undefined removes a file, and the folders that are empty then
 */
export function writeFiles(root: string, texts: ReadonlyMap<string, string | undefined>): void {
  const changes = [...texts].filter(([file, text]) => text === undefined || readText(root, file) !== text);
  if (changes.length === 0) return;
  inTemporary(root, (temporary) => {
    for (const [at, [, text]] of changes.entries()) {
      if (text !== undefined) writeFileSync(join(temporary, String(at)), text);
    }
    for (const [at, [file, text]] of changes.entries()) {
      const path = join(root, file);
      if (text === undefined) removeFile(root, file);
      else {
        mkdirSync(dirname(path), { recursive: true });
        renameSync(join(temporary, String(at)), path);
      }
    }
  });
}

function removeFile(root: string, file: string): void {
  rmSync(join(root, file), { force: true });
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    if (!existsSync(join(root, folder))) continue;
    if (readdirSync(join(root, folder)).length > 0) return;
    rmdirSync(join(root, folder));
  }
}
