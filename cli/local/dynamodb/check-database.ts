import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Checks the SQLite file of an engine before its start; a missing file is fine. Takes about 2 ms for each MB.
 *
 * @throws Error in one line that names the file and the ways out, if it is damaged or cannot be opened
 */
export function checkDatabase(file: string): void {
  if (!existsSync(file)) return;
  const fault = findFault(file);
  if (fault === undefined) return;
  const advice = 'restore a backup of it, or move it away to begin with an empty database';
  throw new Error(`${file} is damaged (${fault}): ${advice}`);
}

function findFault(file: string): string | undefined {
  const status = statSync(file);
  if (!status.isFile()) return 'it is not a file';
  // SQLite takes it for a new database.
  if (status.size === 0) return 'it is empty';
  try {
    const database = new DatabaseSync(file, { timeout: 5_000 });
    try {
      const [result] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {});
      return result === 'ok' ? undefined : toLine(String(result));
    } finally {
      database.close();
    }
  } catch (error) {
    const { errcode, message } = Object(error);
    if (damages.has(errcode)) return toLine(String(message));
    throw new Error(`${file} cannot be opened: ${message}`, { cause: error });
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damages = new Set([11, 26]);

const toLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ', ');
