import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EngineCommand } from '../child-server.ts';

const require = createRequire(import.meta.url);
const databaseOf = (dataDir: string) => join(dataDir, 'dynoxide.db');

/**
 * Looks for the dynoxide binary of this platform.
 *
 * @returns How to run it, or `undefined` where the optional dependency is not installed.
 */
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
    // An optional dependency: npm leaves it out on the platforms it was not built for.
    return undefined;
  }
}

/** As long as DynamoDB keeps a stream's records, in seconds. */
const recordSeconds = 86_400;

/**
 * Lets dynoxide keep a table's stream without getting slower by every record: it numbers a record by looking
 * at all that there are, for want of an index. Forgets the records that DynamoDB would have forgotten, but for
 * the newest of each table, from which the numbers go on.
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
