import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EngineCommand } from '../child-server.ts';

const require = createRequire(import.meta.url);
const databaseOf = (dataDir: string) => join(dataDir, 'dynoxide.db');

/** Finds the dynoxide binary of this platform. @returns undefined if the optional dependency is not installed */
export function findDynoxide(): EngineCommand | undefined {
  const command = locateBinary();
  if (command === undefined) return undefined;
  return {
    command,
    args: (port, dataDir) => [
      'serve',
      ...['--host', '127.0.0.1'],
      ...['--port', String(port)],
      ...['--db-path', databaseOf(dataDir)],
    ],
    readyTimeoutMs: 10_000,
    prepare: (dataDir) => indexStream(databaseOf(dataDir)),
  };
}

function locateBinary(): string | undefined {
  try {
    const packageJson = require.resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`);
    const binary = join(dirname(packageJson), 'dynoxide');
    return existsSync(binary) ? binary : undefined;
  } catch {
    // npm does not install it on platforms without a build.
    return undefined;
  }
}

/** DynamoDB keeps the records of a stream for one day. */
const recordSeconds = 86_400;

/**
 * Adds an index to dynoxide's stream records: without it, dynoxide reads all records to number a new one. Deletes
 * expired records, except the newest of each table, which continues the numbers.
 *
 * @param file the engine's database; it may be in use
 */
export function indexStream(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    database.exec(`
      CREATE INDEX IF NOT EXISTS stream_order
        ON _stream_records(table_name, CAST(sequence_number AS INTEGER));
      DELETE FROM _stream_records
        WHERE created_at < unixepoch() - ${recordSeconds}
          AND id NOT IN (SELECT MAX(id) FROM _stream_records GROUP BY table_name);
    `);
  } finally {
    database.close();
  }
}
