import { ConditionError } from '#shared/db/errors.ts';
import { getItem, type Item, transact } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { setAttributes } from '#shared/db/update.ts';
import type { EngineName, NamedEngine } from '#shared/storage/engines.ts';
import { type StoredFile, toStoredFile } from '../records/file-record.ts';
import { keptIn, keptInAttribute } from '../records/kept-copies.ts';
import { copyObject } from './copy-object.ts';

/** A move of files from one engine to another. */
export interface Migration {
  from: NamedEngine;
  to: NamedEngine;
  /** Removes what lies in `from` once it is moved; what earlier runs left there, too. */
  isSourceDeleted: boolean;
}

/** What is to be done with a file: its object moved, or only its copy in `from` removed. */
export type Task = 'move' | 'clean';

/** What a migration has to do with a file's item; undefined for nothing. */
export function taskFor(item: Item, { from, to, isSourceDeleted }: Migration): Task | undefined {
  if (item.engine === from.name) return 'move';
  return isSourceDeleted && item.engine === to.name && keptIn(item).includes(from.name) ? 'clean' : undefined;
}

/**
 * Does with one file what there is to do. May be repeated after any failure, and while the file is changed or
 * deleted.
 *
 * @returns what was done; undefined where the file is gone, or there already
 * @throws Error saying why the file stays where it is, or its copy in `from`
 */
export async function migrateFile(id: string, migration: Migration): Promise<Task | undefined> {
  const item = await getItem(keys.file(id));
  const task = item && taskFor(item, migration);
  if (!task) return undefined;
  if (task === 'move' && !(await moveObject(item, migration))) return undefined;
  if (migration.isSourceDeleted) await deleteSource(id, migration);
  return task;
}

/** @returns false where the file was deleted, or moved by somebody else, meanwhile */
async function moveObject(item: Item, { from, to }: Migration): Promise<boolean> {
  const file = toStoredFile(item);
  const kept = [...keptIn(item).filter((name) => name !== to.name), from.name];
  let failure: unknown;
  try {
    await copyObject(file, from, to);
    if (await flip(file, to, kept)) return true;
  } catch (error) {
    failure = error;
  }
  const now = await getItem(keys.file(file.id));
  if (now?.engine === from.name) throw failure ?? new Error('its record changed all the time');
  // Nobody knows of this copy.
  if (!now || (now.engine !== to.name && !keptIn(now).includes(to.name))) await to.delete(file.key);
  return false;
}

/** Points the record at the target, which is all that makes a file lie there. */
async function flip(file: StoredFile, to: NamedEngine, kept: EngineName[]): Promise<boolean> {
  const { id, engine, key } = file;
  const change = setAttributes({ engine: to.name, uri: to.publicUrl(key), [keptInAttribute]: kept });
  return writeIf({
    Key: { ...keys.file(id) },
    ...change,
    ConditionExpression: '#engine = :from AND #key = :key',
    ExpressionAttributeNames: { ...change.ExpressionAttributeNames, '#key': 'key' },
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':from': engine, ':key': key },
  });
}

/** Removes the object from the source; the record remembers it until it is gone. */
async function deleteSource(id: string, { from, to }: Migration): Promise<void> {
  const item = await getItem(keys.file(id));
  if (!item) return;
  const { key, size, engine } = toStoredFile(item);
  if (engine !== to.name) return;
  const stored = await to.stat(key);
  if (stored?.sizeBytes !== size) throw new Error(`${to.name} has lost it: it stays in ${from.name}`);
  await from.delete(key);
  const kept = keptIn(item).filter((name) => name !== from.name);
  await writeIf({
    Key: { ...keys.file(id) },
    UpdateExpression: 'SET kept_in = :kept',
    ConditionExpression: 'engine = :to',
    ExpressionAttributeValues: { ':kept': kept, ':to': to.name },
  });
}

type Update = NonNullable<Parameters<typeof transact>[0][number]['Update']>;

/** @returns whether the condition held */
async function writeIf(update: Update): Promise<boolean> {
  try {
    await transact([{ Update: update }]);
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
}
