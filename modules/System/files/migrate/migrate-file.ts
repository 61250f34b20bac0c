import { findRow } from '#shared/db/entity.ts';
import { holds, transact } from '#shared/db/items.ts';
import { type Change, changeItem } from '#shared/db/writes.ts';
import type { NamedEngine } from '#shared/storage/engines.ts';
import { files, type StoredFile } from '../records/file-record.ts';
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

/** What a migration has to do with a file; undefined for nothing. */
export function taskFor(file: StoredFile, { from, to, isSourceDeleted }: Migration): Task | undefined {
  if (file.engine === from.name) return 'move';
  return isSourceDeleted && file.engine === to.name && isKept(file, from) ? 'clean' : undefined;
}

const isKept = ({ kept_in = [] }: StoredFile, { name }: NamedEngine): boolean => kept_in.includes(name);

/**
 * Does with one file what there is to do. May be repeated after any failure, and while the file is changed or
 * deleted.
 *
 * @returns what was done; undefined if the file is gone, or in its place already
 * @throws Error that says why the file stays where it is, or its copy in `from`
 */
export async function migrateFile(id: string, migration: Migration): Promise<Task | undefined> {
  const file = await findRow(files, { id });
  const task = file && taskFor(file, migration);
  if (!task) return undefined;
  if (task === 'move' && !(await moveObject(file, migration))) return undefined;
  if (migration.isSourceDeleted) await deleteSource(id, migration);
  return task;
}

/** @returns false if the file was deleted, or moved by another migration, meanwhile */
async function moveObject(file: StoredFile, { from, to }: Migration): Promise<boolean> {
  const { id, key, kept_in = [] } = file;
  const kept = [...kept_in.filter((name) => name !== to.name), from.name];
  let failure: unknown;
  try {
    await copyObject(file, from, to);
    // The record alone decides where a file lies.
    const set = { engine: to.name, uri: to.publicUrl(key), kept_in: kept };
    if (await changeIf(id, { set, expect: { engine: file.engine, key } })) return true;
  } catch (error) {
    failure = error;
  }
  const now = await findRow(files, { id });
  if (now?.engine === from.name) throw failure ?? new Error('its record changed all the time');
  // No record knows this copy.
  if (!now || (now.engine !== to.name && !isKept(now, to))) await to.delete(key);
  return false;
}

/** Removes the object from the source; the record remembers it until it is gone. */
async function deleteSource(id: string, { from, to }: Migration): Promise<void> {
  const file = await findRow(files, { id });
  if (file?.engine !== to.name) return;
  const { key, size, kept_in = [] } = file;
  const stored = await to.stat(key);
  if (stored?.sizeBytes !== size) throw new Error(`${to.name} has lost it: it stays in ${from.name}`);
  await from.delete(key);
  const kept = kept_in.filter((name) => name !== from.name);
  await changeIf(id, { set: { kept_in: kept }, expect: { engine: to.name } });
}

/** @returns whether the conditions held */
const changeIf = (id: string, change: Change): Promise<boolean> =>
  holds(transact([changeItem(files.key({ id }), change)]));
