import { findRow, findRows, retryOnConflict } from '#shared/db/entity.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import type { OpenOptions } from '#shared/storage/engine.ts';
import { type EngineName, engineNames, type NamedEngine, openEngine } from '#shared/storage/engines.ts';
import { countFiles } from '../categories/category.ts';
import { files, type StoredFile } from '../records/file-record.ts';
import { changeTries } from './edit-files.ts';
import { mapConcurrently } from './map-concurrently.ts';

/** Opens an engine by name. */
export type OpenEngine = (name: EngineName, options?: OpenOptions) => Promise<NamedEngine>;

export interface Deletions {
  deleted: number;
  failed: { id: string; code: string }[];
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
  const found = await findRows(
    files,
    ids.map((id) => ({ id })),
  );
  const filesById = new Map(found.map((file) => [file.id, file]));

  async function attempt(id: string): Promise<string | undefined> {
    const file = filesById.get(id);
    if (!file) return 'file.not_found';
    if (now() > lastBegin) return 'storage.unavailable';
    try {
      await deleteFile(file, engineOf);
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

/** Opens each engine on first use, and once. */
function openOnce(open: OpenEngine, options: OpenOptions): EngineOf {
  const opened = new Map<EngineName, Promise<NamedEngine>>();
  return (name) => {
    const engine = opened.get(name) ?? open(name, options);
    opened.set(name, engine);
    return engine;
  };
}

type EngineOf = (name: EngineName) => Promise<Pick<NamedEngine, 'delete'>>;

/**
 * Deletes one file: its object and the copies of it, then its record with its place in its category. It follows a
 * file that is moved meanwhile, to another category or engine.
 *
 * @throws AppError `storage.*` if an object cannot be removed; the record stays then
 */
export async function deleteFile(found: StoredFile, engineOf: EngineOf): Promise<void> {
  const { id } = found;
  const removed = new Set<EngineName>();
  let file: StoredFile | undefined = found;
  await retryOnConflict(changeTries, async () => {
    file ??= await findRow(files, { id });
    if (!file) return;
    const { key, engine, kept_in = [] } = file;
    if (!removed.has(engine)) await (await engineOf(engine)).delete(key);
    removed.add(engine);
    for (const name of engineNames.filter((each) => kept_in.includes(each))) {
      if (!removed.has(name)) await deleteCopy(name, key, engineOf);
      removed.add(name);
    }
    const writes = removalWrites(file);
    file = undefined;
    await transact(writes);
  });
}

/** An engine that is no longer set up serves nothing, and must not hold the file for ever. */
async function deleteCopy(name: EngineName, key: string, engineOf: EngineOf): Promise<void> {
  try {
    await (await engineOf(name)).delete(key);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'storage.not_configured')) throw error;
  }
}

/** They fail with `version_conflict` if the file is no longer as it was read. */
function removalWrites({ id, cid, type, engine, key }: StoredFile): Write[] {
  const expect = { cid: cid ?? undefined, engine, key };
  return [
    removeItem(files.key({ id }), { expect }, () => new AppError('version_conflict')),
    ...(cid ? [countFiles(cid, -1, type)] : []),
  ];
}
