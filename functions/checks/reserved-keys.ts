import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** First parts of the platform's keys, a line each; `npm run records` writes it. */
export const reservedKeysFile = 'functions/checks/reserved-keys.txt';

/** The code whose items no module may meet. */
const folders = ['shared', 'cli', 'modules/System'];

/** Keys that are written in place: `singleKey('KIND…`, `pk: 'KIND…`, and functions that make a partition. */
const writtenKey = /(?:singleKey\(|\bpk: |Partition = \([^)]*\): string => )[`']([A-Z][A-Z_]*)[#`']/g;

/** First parts of the keys that the platform writes in place, whether an entity declares them or not. */
export function findReservedKinds(root: string): string[] {
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  );
  const kinds = sources.flatMap((text) => [...text.matchAll(writtenKey)].map(([, kind = '']) => kind));
  return [...new Set(kinds)].sort();
}

/** Writes what {@link findReservedKinds} finds to its record. */
export const recordReservedKinds = (root: string): void =>
  writeFileSync(join(root, reservedKeysFile), `${findReservedKinds(root).join('\n')}\n`);

/** The record of this project. */
export const readReservedKinds = (): string[] =>
  readFileSync(join(import.meta.dirname, 'reserved-keys.txt'), 'utf8')
    .trimEnd()
    .split('\n');
