import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Folder of the built console. */
export const consoleFolder = (root: string): string => join(root, '.build', 'console');

/** The last build, in `build.json`. */
export interface BuildRecord {
  /** {@link hashSources} at its start. */
  hash: string;
  /** Sources in it, from the project's root, besides those that are hashed always. */
  inputs: string[];
  /** Names of its files in `packed/`. */
  packed: string[];
}

const recordFile = (root: string): string => join(consoleFolder(root), 'build.json');

/** What every build depends on. The generator writes the OpenAPI document, which the API client is made from. */
const patterns = [
  'console/**/*',
  'cli/console/*',
  'modules/*/Console/**/*',
  'modules/modules.json',
  'package-lock.json',
  'tsconfig.json',
  '.build/openapi/en.json',
];

/** The hash of everything that the console is built from. @param inputs further sources */
export function hashSources(root: string, inputs: readonly string[]): string {
  const found = globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const hash = createHash('sha256');
  for (const file of [...new Set([...found, ...inputs])].sort()) {
    const path = join(root, file);
    hash.update(`${file.split(sep).join('/')}\n`).update(existsSync(path) ? readFileSync(path) : '');
  }
  return hash.digest('hex');
}

/** The record of the last build; undefined if nothing was built. */
export function readRecord(root: string): BuildRecord | undefined {
  try {
    return JSON.parse(readFileSync(recordFile(root), 'utf8'));
  } catch {
    // Nothing was built, or the record is damaged: then it is built again.
    return undefined;
  }
}

export const writeRecord = (root: string, record: BuildRecord): void =>
  replaceFile(recordFile(root), JSON.stringify(record));

/** Writes a file in one step: another process may read it. */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/** Whether the console was built from the current sources. */
export function isBuilt(root: string): boolean {
  const record = readRecord(root);
  return record !== undefined && record.hash === hashSources(root, record.inputs);
}
