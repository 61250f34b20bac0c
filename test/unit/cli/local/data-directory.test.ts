import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeFolder, protectDataDir, readLocalSecrets } from '#cli/local/data-directory.ts';
import { createTempDir } from '../../../support/local-server.ts';

test('secrets are created once', () => {
  const dataDir = createTempDir();

  expect(readLocalSecrets(dataDir)).toEqual(readLocalSecrets(dataDir));
});

test.each(['', '{"appKey": "x', '{}', 'null', '{"appKey":"short","redisToken":"short"}'])(
  'a damaged secrets.json is named and kept: %j',
  (text) => {
    const dataDir = createTempDir();
    const file = join(dataDir, 'secrets.json');
    writeFileSync(file, text);

    expect(() => readLocalSecrets(dataDir)).toThrow(
      /^\S+secrets\.json is damaged: restore it, or delete it\. /,
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);

const modeOf = (folder: string) => statSync(folder).mode & 0o7777;

test('a new data directory is for its owner only, a new folder for files is not', () => {
  const [dataDir, files] = ['data', 'files'].map((name) => join(createTempDir(), name));
  if (!dataDir || !files) throw new Error('no folders');

  makeFolder(dataDir, 'DATA_DIR');
  makeFolder(files, 'STORAGE_DIR');

  expect(modeOf(dataDir)).toBe(0o700);
  expect(modeOf(files)).toBe(0o777 & ~process.umask());
  expect(protectDataDir(dataDir)).toBe(false);
});

test.each([0o755, 0o750, 0o701, 0o777])('a data directory that others can open is corrected: %o', (mode) => {
  const dataDir = createTempDir();
  chmodSync(dataDir, mode);

  expect(protectDataDir(dataDir)).toBe(true);
  expect(modeOf(dataDir)).toBe(0o700);
});

test('a folder that users share, such as /tmp, stays as it is', () => {
  const shared = join(createTempDir(), 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);

  expect(protectDataDir(shared)).toBe(false);
  expect(modeOf(shared)).toBe(0o1777);
});
