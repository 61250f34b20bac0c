import { DatabaseSync } from 'node:sqlite';

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
