import { getItems, type Item } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import { log } from '#shared/log/log.ts';
import { openEngine } from '#shared/storage/engines.ts';
import { deleteFile } from './delete-file.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { type OpenEngine, openOnce } from './open-once.ts';

export interface Deletions {
  deleted: number;
  failed: { id: string; code: ErrorCode }[];
}

export interface DeletionOptions {
  open?: OpenEngine;
  /** Unix milliseconds. */
  now?: () => number;
}

const filesAtOnce = 5;
// A function runs for 29 s: what begins last still has the time of its own calls, and of the table's.
const beginsWithinMs = 15_000;
const timeoutMs = 4_000;

/**
 * Deletes files: the object from the engine that it lies in, then the record. May be repeated. Those that
 * cannot be deleted, or not in time, stay as they are and are named with the reason.
 */
export async function deleteFiles(
  ids: readonly string[],
  { open = openEngine, now = Date.now }: DeletionOptions = {},
): Promise<Deletions> {
  const lastBegin = now() + beginsWithinMs;
  const engineOf = openOnce(open, { timeoutMs });
  const items = await getItems(ids.map(keys.file));
  const itemsById = new Map(items.map((item) => [item.id, item]));

  async function attempt(id: string): Promise<ErrorCode | undefined> {
    const item: Item | undefined = itemsById.get(id);
    if (!item) return 'file.not_found';
    if (now() > lastBegin) return 'storage.unavailable';
    try {
      await deleteFile(item, engineOf);
      return undefined;
    } catch (error) {
      log.error('file.not_deleted', {
        id,
        error: error instanceof AppError ? (error.cause ?? error) : error,
      });
      return error instanceof AppError ? error.code : 'internal';
    }
  }

  const codes = await mapConcurrently(ids, filesAtOnce, attempt);
  const failed = ids.flatMap((id, index) => {
    const code = codes[index];
    return code ? [{ id, code }] : [];
  });
  return { deleted: ids.length - failed.length, failed };
}
