import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findDynoxide, indexStream } from '#cli/local/dynamodb/dynoxide.ts';
import { startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { createTempDir } from '../../../support/local-server.ts';

const day = 86_400;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = createTempDir();
  if (!findDynoxide()) return;
  // A file of the engine itself, without the index.
  const options = { dataDir: folder, environment: process.env, engine: 'dynoxide' } as const;
  await (await startDynamoDbEngine(options)).stop();
  file = join(folder, 'dynamodb', 'dynoxide', 'dynoxide.db');
  withDatabase((database) => database.exec('DROP INDEX stream_order'));
});

function withDatabase<T>(work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function addRecord(table: string, sequence: number, ageSeconds: number): void {
  withDatabase((database) =>
    database
      .prepare(
        `INSERT INTO _stream_records (table_name, event_name, keys_json, sequence_number, shard_id, created_at)
         VALUES (?, 'INSERT', '{}', ?, 'shard', unixepoch() - ?)`,
      )
      .run(table, String(sequence), ageSeconds),
  );
}

const plan = (query: string) =>
  withDatabase((database) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${query}`)
      .all()
      .map(({ detail }) => detail),
  );

// The engine's own queries: the next record's number, and the records after a number.
const numbering = `SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records WHERE table_name = 'a'`;
const reading = `SELECT keys_json FROM _stream_records WHERE table_name = 'a' AND shard_id = 's'
  AND CAST(sequence_number AS INTEGER) > 5 ORDER BY CAST(sequence_number AS INTEGER) ASC LIMIT 10`;

(findDynoxide() ? describe : describe.skip)('indexStream', () => {
  test('lets dynoxide find records without reading all of them', () => {
    const before = [...plan(numbering), ...plan(reading)].join();
    indexStream(file);
    const after = [...plan(numbering), ...plan(reading)];

    expect(before).not.toContain('stream_order');
    expect(after).toEqual([
      expect.stringMatching(/^SEARCH .*COVERING INDEX stream_order/),
      expect.stringMatching(/^SEARCH .*INDEX stream_order \(table_name=\? AND <expr>>\?\)/),
    ]);
  });

  test('deletes records older than a day, but not the newest of a table', () => {
    addRecord('idle', 1, 3 * day);
    addRecord('idle', 2, 2 * day);
    addRecord('busy', 1, 2 * day);
    addRecord('busy', 2, day - 60);
    addRecord('busy', 3, 0);

    indexStream(file);
    indexStream(file);

    const query = `SELECT table_name || ' ' || sequence_number AS name FROM _stream_records ORDER BY id`;
    const left = withDatabase((database) =>
      database
        .prepare(query)
        .all()
        .map(({ name }) => name),
    );
    expect(left).toEqual(['idle 2', 'busy 2', 'busy 3']);
  });
});
