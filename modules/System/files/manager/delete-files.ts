import { settleAll } from '#shared/async/settle-all.ts';
import { recordUnchanged } from '#shared/audit/recording.ts';
import { versionConflict } from '#shared/db/entity.ts';
import { removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { type EngineName, engineNames, type NamedEngine, openEngine } from '#shared/storage/engines.ts';
import { countFiles } from '../categories.ts';
import { files, type StoredFile } from '../records/file-record.ts';
import { deleteObjects } from './delete-objects.ts';
import { changeFile, findFiles } from './edit-files.ts';

const filesAtOnce = 5;
// A function runs for 29 s: the deletion that begins last needs time for its calls to the engine and the table.
const beginsWithinMs = 15_000;
const timeoutMs = 4_000;

/**
 * Deletes files: the object, then the record. May be repeated. A file that cannot be deleted, or not in time, stays
 * as it is and is named with the reason. `now` gives Unix milliseconds.
 */
export async function deleteFiles(
  ids: readonly string[],
  { open = openEngine, now = Date.now }: { open?: typeof openEngine; now?: () => number } = {},
) {
  const lastBegin = now() + beginsWithinMs;
  const opened = new Map<EngineName, Promise<NamedEngine>>();
  const engineOf = (name: EngineName) => {
    const engine = opened.get(name) ?? open(name, { timeoutMs });
    opened.set(name, engine);
    return engine;
  };
  const filesById = new Map((await findFiles(ids)).map((file) => [file.id, file]));

  async function attempt(id: string): Promise<{ id: string; code: string }[]> {
    const file = filesById.get(id);
    if (!file) return [{ id, code: 'file.not_found' }];
    if (now() > lastBegin) return [{ id, code: 'storage.unavailable' }];
    try {
      await deleteFile(file, engineOf);
      return [];
    } catch (error) {
      const [code, cause] = error instanceof AppError ? [error.code, error.cause] : ['internal'];
      log.error('file.not_deleted', { id, error: cause ?? error });
      return [{ id, code }];
    }
  }

  const failed = (await mapConcurrently(ids, filesAtOnce, attempt)).flat();
  if (failed[0] && failed.length === ids.length) recordUnchanged(failed[0].code);
  return { deleted: ids.length - failed.length, failed };
}

type EngineOf = (name: EngineName) => Promise<Pick<NamedEngine, 'name' | 'delete'>>;

/**
 * Deletes one file: its object and the copies of it, then its record. Works while the file is moved to another
 * category or engine. @throws AppError `storage.*` if an object cannot be removed; then the record stays
 */
export async function deleteFile(found: StoredFile, engineOf: EngineOf): Promise<void> {
  const removed = new Set<EngineName>();
  await changeFile(found, async ({ id, cid, type, engine, key, kept_in = [] }) => {
    if (!removed.has(engine)) await deleteObjects(await engineOf(engine), key);
    removed.add(engine);
    for (const name of engineNames.filter((each) => kept_in.includes(each))) {
      if (!removed.has(name)) await deleteCopy(name, key, engineOf);
      removed.add(name);
    }
    const expect = { cid: cid ?? undefined, engine, key };
    return [
      removeItem(files.key({ id }), { expect }, versionConflict),
      ...(cid ? [countFiles(cid, -1, type)] : []),
    ];
  });
}

/** Ignores an engine that is no longer set up: it must not block the deletion for ever. */
async function deleteCopy(name: EngineName, key: string, engineOf: EngineOf): Promise<void> {
  try {
    await deleteObjects(await engineOf(name), key);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'storage.not_configured')) throw error;
  }
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
