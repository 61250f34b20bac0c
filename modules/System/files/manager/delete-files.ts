import { settleAll } from '#shared/async/settle-all.ts';
import { findRow, retryOnConflict } from '#shared/db/entity.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import type { OpenOptions } from '#shared/storage/engine.ts';
import { type EngineName, engineNames, type NamedEngine, openEngine } from '#shared/storage/engines.ts';
import { countFiles } from '../categories/category.ts';
import { files, type StoredFile } from '../records/file-record.ts';
import { changeTries, findFiles } from './edit-files.ts';

export type OpenEngine = typeof openEngine;

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
// A function runs for 29 s: the deletion that begins last needs time for its calls to the engine and the table.
const beginsWithinMs = 15_000;
const timeoutMs = 4_000;

/**
 * Deletes files: the object, then the record. May be repeated. A file that cannot be deleted, or not in time,
 * stays as it is and is named with the reason.
 */
export async function deleteFiles(
  ids: readonly string[],
  { open = openEngine, now = Date.now }: DeletionOptions = {},
): Promise<Deletions> {
  const lastBegin = now() + beginsWithinMs;
  const engineOf = openOnce(open, { timeoutMs });
  const found = await findFiles(ids);
  const filesById = new Map(found.map((file) => [file.id, file]));

  async function attempt(id: string): Promise<string | undefined> {
    const file = filesById.get(id);
    if (!file) return 'file.not_found';
    if (now() > lastBegin) return 'storage.unavailable';
    try {
      await deleteFile(file, engineOf);
      return undefined;
    } catch (error) {
      const [code, cause] = error instanceof AppError ? [error.code, error.cause] : ['internal'];
      log.error('file.not_deleted', { id, error: cause ?? error });
      return code;
    }
  }

  const codes = await mapConcurrently(ids, filesAtOnce, attempt);
  const failed = ids.flatMap((id, index) => {
    const code = codes[index];
    return code ? [{ id, code }] : [];
  });
  return { deleted: ids.length - failed.length, failed };
}

/** Opens each engine once, on first use. */
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
 * Deletes one file: its object and the copies of it, then its record. Works for a file that is moved meanwhile
 * to another category or engine.
 *
 * @throws AppError `storage.*` if an object cannot be removed; then the record stays
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

/** Ignores an engine that is no longer set up: it must not block the deletion for ever. */
async function deleteCopy(name: EngineName, key: string, engineOf: EngineOf): Promise<void> {
  try {
    await (await engineOf(name)).delete(key);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'storage.not_configured')) throw error;
  }
}

function removalWrites({ id, cid, type, engine, key }: StoredFile): Write[] {
  const expect = { cid: cid ?? undefined, engine, key };
  return [
    removeItem(files.key({ id }), { expect }, () => new AppError('version_conflict')),
    ...(cid ? [countFiles(cid, -1, type)] : []),
  ];
}

/** Runs `work` for each value, `atOnce` at a time. Returns the outcomes in the order of the values. */
export async function mapConcurrently<Value, Outcome>(
  values: readonly Value[],
  atOnce: number,
  work: (value: Value) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const rest = values.entries();
  // All workers take from the one iterator.
  const worker = async () => {
    for (const [index, value] of rest) outcomes[index] = await work(value);
  };
  await settleAll(Array.from({ length: atOnce }, worker));
  return outcomes;
}
