import { ConditionError } from '#shared/db/errors.ts';
import { getItem, type Item, transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { StorageEngine } from '#shared/storage/engine.ts';
import type { EngineName } from '#shared/storage/engines.ts';
import { countInCategory } from '../records/add-file.ts';
import { type StoredFile, toStoredFile } from '../records/file-record.ts';
import { keptIn } from '../records/kept-copies.ts';
import { changeTries, inCategory } from './find-file.ts';

type EngineOf = (name: EngineName) => Promise<StorageEngine>;

/**
 * Deletes one file: its object and the copies of it, then its record with its place in its category. What was
 * moved meanwhile, to another category or engine, is followed there.
 *
 * @throws AppError `storage.*` where an object cannot be removed; the record stays then
 */
export async function deleteFile(found: Item, engineOf: EngineOf): Promise<void> {
  const removed = new Set<EngineName>();
  let item: Item | undefined = found;
  for (let tries = 0; tries < changeTries; tries += 1) {
    if (!item) return;
    const file = toStoredFile(item);
    if (!removed.has(file.engine)) await (await engineOf(file.engine)).delete(file.key);
    removed.add(file.engine);
    for (const name of keptIn(item)) {
      if (!removed.has(name)) await deleteCopy(name, file.key, engineOf);
      removed.add(name);
    }
    if (await removeRecord(file)) return;
    item = await getItem(keys.file(file.id));
  }
  throw new AppError('version_conflict');
}

/** An engine that is no longer set up serves nothing, and must not hold the file for ever. */
async function deleteCopy(name: EngineName, key: string, engineOf: EngineOf): Promise<void> {
  try {
    await (await engineOf(name)).delete(key);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'storage.not_configured')) throw error;
  }
}

/** @returns whether it was removed; false where it is no longer as it was read */
async function removeRecord(file: StoredFile): Promise<boolean> {
  try {
    await transact(removalWrites(file));
    return true;
  } catch (error) {
    if (error instanceof ConditionError && error.failed.includes(0)) return false;
    throw error;
  }
}

function removalWrites({ id, cid, type, engine, key }: StoredFile): Write[] {
  const { condition, values } = inCategory(cid);
  const removal = {
    Key: { ...keys.file(id) },
    ConditionExpression: `${condition} AND engine = :engine AND #key = :key`,
    ExpressionAttributeNames: { '#key': 'key' },
    ExpressionAttributeValues: { ...values, ':engine': engine, ':key': key },
  };
  return [{ Delete: removal }, ...(cid ? [countInCategory(cid, -1, type)] : [])];
}
