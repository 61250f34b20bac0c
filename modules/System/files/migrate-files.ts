import { findRow, partitionOf, toRow } from '#shared/db/entity.ts';
import { holds, type Position, queryIndex, transact } from '#shared/db/items.ts';
import { isSpreadMark, listPartitions } from '#shared/db/paging/spread-index.ts';
import { type Change, changeItem } from '#shared/db/writes.ts';
import { ObjectExistsError } from '#shared/storage/engine.ts';
import type { NamedEngine } from '#shared/storage/engines.ts';
import { deleteObjects } from './manager/delete-objects.ts';
import { files, type StoredFile } from './records/file-record.ts';

export interface MigrationOptions {
  from: NamedEngine;
  to: NamedEngine;
  /** Whether moved objects are deleted from `from`, also those of earlier runs. */
  isSourceDeleted: boolean;
  /** Only counts. */
  isDryRun?: boolean;
  /** Called before each file: true ends the migration. */
  isStopped?(): boolean;
  /** Called after each file. */
  onProgress?(progress: MigrationProgress): void;
  /** Called for each file that failed. */
  onFailure?(id: string, error: unknown): void;
}

/** Numbers of files, and bytes moved. `cleaned`: moved earlier; the copy in the source is now deleted. */
export type MigrationProgress = Record<'moved' | 'movedBytes' | 'cleaned' | 'failed', number>;

/** Moves every file of one engine to another, one after another. `isComplete`: whether all files were visited. */
export async function migrateFiles(
  options: MigrationOptions,
): Promise<MigrationProgress & { isComplete: boolean }> {
  const { isDryRun, isStopped = () => false, onProgress, onFailure } = options;
  const progress: MigrationProgress = { moved: 0, movedBytes: 0, cleaned: 0, failed: 0 };
  for await (const file of walkFiles()) {
    if (isStopped()) return { ...progress, isComplete: false };
    const planned = taskFor(file, options);
    if (!planned) continue;
    try {
      const done = isDryRun ? planned : await migrateFile(file.id, options);
      if (done === 'move') {
        progress.moved += 1;
        progress.movedBytes += file.size;
      }
      if (done === 'clean') progress.cleaned += 1;
    } catch (error) {
      progress.failed += 1;
      onFailure?.(file.id, error);
    }
    onProgress?.(progress);
  }
  return { ...progress, isComplete: true };
}

/** Walks through all files, the oldest of each partition first: files that are uploaded meanwhile come last. */
export async function* walkFiles(): AsyncGenerator<StoredFile> {
  const { name, pk: plain } = partitionOf(files.indexes.byCreation, {});
  for (const pk of [plain, ...listPartitions(plain)]) {
    let start: Position | undefined;
    do {
      const { items, last } = await queryIndex({ name, pk, limit: 100, start, isNewestFirst: false });
      for (const item of items) if (!isSpreadMark(item)) yield toRow(files, item);
      start = last;
    } while (start);
  }
}

/** `move`: moves the object; `clean`: only deletes the copy in `from`. */
type Task = 'move' | 'clean';

/** What a migration has to do for a file; undefined if nothing. */
function taskFor(file: StoredFile, { from, to, isSourceDeleted }: MigrationOptions): Task | undefined {
  if (file.engine === from.name) return 'move';
  return isSourceDeleted && file.engine === to.name && isKept(file, from) ? 'clean' : undefined;
}

const isKept = ({ kept_in = [] }: StoredFile, { name }: NamedEngine): boolean => kept_in.includes(name);

/**
 * Migrates one file. May be repeated after any failure, and works while the file is changed or deleted.
 *
 * @returns what was done; undefined if the file is gone or already moved
 * @throws Error with the reason why the file, or its copy in `from`, stays
 */
async function migrateFile(id: string, migration: MigrationOptions): Promise<Task | undefined> {
  const file = await findRow(files, { id });
  const task = file && taskFor(file, migration);
  if (!task) return undefined;
  if (task === 'move' && !(await moveObject(file, migration))) return undefined;
  if (migration.isSourceDeleted) await deleteSource(id, migration);
  return task;
}

/** @returns false if the file was deleted, or moved by another migration, meanwhile */
async function moveObject(file: StoredFile, { from, to }: MigrationOptions): Promise<boolean> {
  const { id, key, kept_in = [] } = file;
  const kept = [...kept_in.filter((name) => name !== to.name), from.name];
  let failure: unknown;
  try {
    await copyObject(file, from, to);
    // The record alone decides where a file lies.
    const uri = to.publicUrl(key);
    const set = { engine: to.name, kept_in: kept, ...(uri !== null && { uri }) };
    if (await changeIf(id, { set, expect: { engine: file.engine, key } })) return true;
  } catch (error) {
    failure = error;
  }
  const now = await findRow(files, { id });
  if (now?.engine === from.name) throw failure ?? new Error('its record changed all the time');
  // No record refers to this copy.
  if (!now || (now.engine !== to.name && !isKept(now, to))) await deleteObjects(to, key);
  return false;
}

/** Deletes the object from the source, then its name from the record. */
async function deleteSource(id: string, { from, to }: MigrationOptions): Promise<void> {
  const file = await findRow(files, { id });
  if (file?.engine !== to.name) return;
  const { key, size, kept_in = [] } = file;
  const stored = await to.stat(key);
  if (stored?.sizeBytes !== size) throw new Error(`${to.name} has lost it: it stays in ${from.name}`);
  await deleteObjects(from, key);
  const kept = kept_in.filter((name) => name !== from.name);
  await changeIf(id, { set: { kept_in: kept }, expect: { engine: to.name } });
}

/** Returns whether the conditions held. */
const changeIf = (id: string, change: Change): Promise<boolean> =>
  holds(transact([changeItem(files.key({ id }), change)]));

const rangeBytes = 4_194_304;

function* toSpans(size: number): Generator<[start: number, end: number]> {
  for (let start = 0; start < size; start += rangeBytes) yield [start, Math.min(start + rangeBytes, size)];
}

/**
 * Copies a file's object to another engine, at the same key, and reads the copy back. Idempotent.
 *
 * @throws Error if the object is missing, differs from its record, or another object lies at the target
 * @throws AppError `storage.unavailable`
 */
async function copyObject({ key, mime, size }: StoredFile, from: NamedEngine, to: NamedEngine) {
  const stored = await from.stat(key);
  if (!stored) throw new Error(`there is no object in ${from.name}`);
  if (stored.sizeBytes !== size) {
    throw new Error(`the object in ${from.name} has ${stored.sizeBytes} bytes, its record says ${size}`);
  }
  const bytes = await readObject(from, key, size);
  const refusal = await to.put(key, bytes, mime).catch((error: unknown) => error);
  const isNew = refusal === undefined;
  if (!isNew && !(refusal instanceof ObjectExistsError)) throw refusal;
  if (await isCopied(to, key, bytes)) return;
  if (isNew) await deleteObjects(to, key);
  throw new Error(
    isNew ? `${to.name} did not store what was sent` : `another object lies at its key in ${to.name}`,
  );
}

async function readObject(engine: NamedEngine, key: string, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  for (const [start, end] of toSpans(size)) {
    const range = await engine.readRange(key, start, end);
    if (range.length !== end - start) throw new Error(`the object in ${engine.name} ended at a read`);
    bytes.set(range, start);
  }
  return bytes;
}

async function isCopied(engine: NamedEngine, key: string, bytes: Uint8Array): Promise<boolean> {
  if ((await engine.stat(key))?.sizeBytes !== bytes.length) return false;
  for (const [start, end] of toSpans(bytes.length)) {
    const arrived = await engine.readRange(key, start, end);
    if (Buffer.compare(arrived, bytes.subarray(start, end)) !== 0) return false;
  }
  return true;
}
