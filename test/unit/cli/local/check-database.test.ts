import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from '@jest/globals';
import { checkDatabase } from '#cli/local/dynamodb/check-database.ts';
import { startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { findDynoxide } from '../../../../cli/local/dynamodb/dynoxide.ts';
import { createTempDir } from '../../../support/local-server.ts';

let file: string;
beforeEach(() => {
  file = join(createTempDir(), 'dynoxide.db');
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE things (name TEXT PRIMARY KEY, text TEXT)');
  const insert = database.prepare('INSERT INTO things VALUES (?, ?)');
  for (let each = 0; each < 100; each += 1) insert.run(`thing ${each}`, 'x'.repeat(500));
  database.close();
});

function overwrite(from: number, bytes: number): void {
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  closeSync(opened);
}

test('a sound database, and a missing one, pass', () => {
  checkDatabase(file);
  rmSync(file);
  checkDatabase(file);
});

test.each<[string, () => void]>([
  ['is cut off', () => truncateSync(file, 5_000)],
  ['lost its second half', () => truncateSync(file, statSync(file).size / 2)],
  ['has another header', () => overwrite(0, 100)],
  ['has other bytes in the middle', () => overwrite(8 * 1024, 20 * 1024)],
  ['is empty', () => truncateSync(file, 0)],
  ['is a text', () => writeFileSync(file, 'This is a text.\n'.repeat(10))],
  [
    'is a folder',
    () => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
])('a database that %s is named in one line, with what to do, and kept', (_, damage) => {
  damage();
  const before = statSync(file).isFile() ? readFileSync(file) : undefined;
  let message = '';

  try {
    checkDatabase(file);
  } catch (error) {
    message = String(Object(error).message);
  }

  expect(message).toMatch(/^\S+dynoxide\.db is damaged \(.+\): restore a backup of it, or move it away .*$/);
  expect(statSync(file).isFile() ? readFileSync(file) : undefined).toEqual(before);
});

(findDynoxide() ? test : test.skip)('an engine does not start on a damaged file', async () => {
  const dataDir = createTempDir();
  const folder = join(dataDir, 'dynamodb', 'dynoxide');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'dynoxide.db'), 'This is a text.\n');

  const start = startDynamoDbEngine({ dataDir, environment: process.env, engine: 'dynoxide' });

  await expect(start).rejects.toThrow(/dynoxide\.db is damaged/);
});
