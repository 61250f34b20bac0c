import { settleAll } from '#shared/async/settle-all.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { type EngineName, engineNames, type NamedEngine } from '#shared/storage/engines.ts';
import { toCleanKey } from '#shared/storage/naming/object-path.ts';
import { listObjectKeys } from '#shared/storage/naming/variant-path.ts';
import { walkFiles } from './migrate-files.ts';
import type { StoredFile } from './records/file-record.ts';
import { walkUploads } from './uploads/upload-record.ts';

/** What differs. `extra`: an object that neither a file's record nor an upload that is under way names. */
export interface FileFault {
  kind: 'missing' | 'wrong_size' | 'extra';
  engine: EngineName;
  key: string;
  /** The file's record; undefined for `extra`. */
  id?: string;
}

/** Requests to an engine at the same time. */
const together = 16;

/**
 * Compares the records of files with the objects in the engines that they name, also with copies that were kept. Reads
 * only.
 *
 * @param open opens an engine
 * @param onFault called for each difference
 * @returns the number of records, and the engines of files that cannot list their objects: nothing extra is found there; `holders` are the engines
 *   that records name
 * @throws AppError `storage.*` of an engine that is not set up or fails
 */
export async function verifyFiles(
  open: (name: EngineName) => Promise<NamedEngine>,
  onFault: (fault: FileFault) => void,
): Promise<{ files: number; unlisted: EngineName[]; holders: ReadonlySet<EngineName> }> {
  const opened = new Map<EngineName, Promise<OpenedEngine>>();
  const use = (name: EngineName) => {
    const engine = opened.get(name) ?? openListed(open, name);
    opened.set(name, engine);
    return engine;
  };
  let files = 0;
  const unlisted = new Set<EngineName>();
  const holders = new Set<EngineName>();
  const check = async (file: StoredFile) => {
    const { id, key, size } = file;
    for (const name of new Set([file.engine, ...(file.kept_in ?? [])])) {
      const { engine, unnamed } = await use(name);
      holders.add(name);
      if (!unnamed) unlisted.add(name);
      for (const each of listObjectKeys(key)) unnamed?.delete(each);
      const stored = await engine.stat(key);
      if (!stored) onFault({ kind: 'missing', engine: name, key, id });
      else if (stored.sizeBytes !== size) onFault({ kind: 'wrong_size', engine: name, key, id });
    }
  };
  // Objects are listed even if no record names their engine. One that is not set up has none.
  for (const name of engineNames) {
    await use(name).catch((error: unknown) => {
      opened.delete(name);
      if (!isNotSetUp(error)) throw error;
    });
  }
  // Before the records: an upload may become a file meanwhile.
  for await (const { file } of walkUploads()) {
    const { unnamed } = (await opened.get(file.engine)) ?? {};
    for (const key of [file.key, toCleanKey(file.key)].flatMap(listObjectKeys)) unnamed?.delete(key);
  }
  let batch: StoredFile[] = [];
  for await (const file of walkFiles()) {
    files += 1;
    batch.push(file);
    if (batch.length < together) continue;
    await settleAll(batch.map(check));
    batch = [];
  }
  await settleAll(batch.map(check));
  for (const [name, opening] of opened) {
    for (const key of (await opening).unnamed ?? []) onFault({ kind: 'extra', engine: name, key });
  }
  return { files, unlisted: [...unlisted], holders };
}

/** Also if a caller has explained the error by one of its own. */
const isNotSetUp = (error: unknown): boolean =>
  [error, Object(error).cause].some(
    (each) => each instanceof AppError && each.code === 'storage.not_configured',
  );

interface OpenedEngine {
  engine: NamedEngine;
  /** Keys of objects that no record has named yet; undefined if the engine cannot list. */
  unnamed: Set<string> | undefined;
}

/** The objects are listed before the records are read, so that a new file is not taken for an extra one. */
async function openListed(open: (name: EngineName) => Promise<NamedEngine>, name: EngineName) {
  const engine = await open(name);
  return { engine, unnamed: engine.list && new Set(await Array.fromAsync(engine.list())) };
}
