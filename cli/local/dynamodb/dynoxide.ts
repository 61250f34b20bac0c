import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** How to run a database engine on this machine. */
export interface EngineCommand {
  command: string;
  /** The SQLite file in its folder. */
  file: string;
  /** @param dataDir an existing folder for this engine only @param host the address to listen on, if it can choose */
  args(port: number, dataDir: string, host: string): string[];
  /** Called after the first answer. */
  prepare?(dataDir: string): void;
}

const file = 'dynoxide.db';
const databaseOf = (dataDir: string) => join(dataDir, file);

/** Finds the dynoxide binary of this platform. @returns undefined if the optional dependency is not installed */
export function findDynoxide(): EngineCommand | undefined {
  const command = locate(`@dynoxide/${process.platform}-${process.arch}/dynoxide`);
  if (command === undefined) return undefined;
  return {
    command,
    file,
    args: (port, dataDir, host) => [
      'serve',
      `--host=${host}`,
      `--port=${port}`,
      `--db-path=${databaseOf(dataDir)}`,
    ],
    prepare: (dataDir) => indexStream(databaseOf(dataDir)),
  };
}

/** Path of a file in a package; undefined if it is not installed. */
export function locate(file: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch {
    return undefined;
  }
}

/** DynamoDB keeps the records of a stream for one day. */
const recordSeconds = 86_400;

/**
 * Adds an index to dynoxide's stream records: without it, dynoxide reads all records to number a new one. Deletes
 * expired records, except the newest of each table, which continues the numbers. The database may be in use.
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
