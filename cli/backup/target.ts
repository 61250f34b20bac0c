import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isRunning, makeFolder, restoreMarker } from '../local/data-directory.ts';
import type { Installation } from './back-up.ts';
import { publish } from './publish.ts';

/** What a restore makes in the folder of local storage. */
const storageFolders = ['storage', 'public'];

const marker = z.object({ pid: z.int(), storageDir: z.string() });

/**
 * Claims the folders of a restore. A marker in `dataDir` keeps the service from starting until `finish`.
 *
 * @throws Error if they hold anything else than an interrupted restore, or if another process restores to them
 */
export function claimTarget({ dataDir, storageDir }: Pick<Installation, 'dataDir' | 'storageDir'>) {
  const file = join(dataDir, restoreMarker);
  const former = readMarker(file);
  if (former && former.pid !== process.pid && isRunning(former.pid))
    throw new Error(`The process ${former.pid} restores to ${dataDir} at this moment`);
  // The service has not started there, so all of it is of the interrupted restore.
  if (former) clear(dataDir, former.storageDir);
  if (list(dataDir).some((name) => !isMarker(name)))
    throw new Error(`${dataDir} is not empty: restore to an empty or missing folder (DATA_DIR)`);
  const isInUse = storageFolders.some((name) => existsSync(join(storageDir, name)));
  if (isInUse)
    throw new Error(`${storageDir} holds files: restore to an empty or missing folder (STORAGE_DIR)`);
  const isNew = !existsSync(dataDir);
  makeFolder(dataDir, 'DATA_DIR');
  writeMarker(file, { pid: process.pid, storageDir }, former !== undefined);
  makeFolder(storageDir, 'STORAGE_DIR');
  return {
    /** Lets the service start. */
    finish(): void {
      // Drafts of killed processes too.
      for (const name of list(dataDir)) if (isMarker(name)) rmSync(join(dataDir, name));
    },
    /** Removes all that was restored. */
    discard(): void {
      clear(dataDir, storageDir);
      rmSync(isNew ? dataDir : file, { recursive: true });
    },
  };
}

/** Whether a file is the marker, or its draft. */
const isMarker = (name: string): boolean =>
  name.startsWith(restoreMarker) && /^(?:\.\d+)?$/.test(name.slice(restoreMarker.length));

const list = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

function clear(dataDir: string, storageDir: string): void {
  const remove = (path: string) => rmSync(path, { recursive: true, force: true });
  for (const name of storageFolders) remove(join(storageDir, name));
  for (const name of list(dataDir)) if (name !== restoreMarker) remove(join(dataDir, name));
}

/** Writes the marker at once: who kills this process leaves a complete one, or none. @throws Error `EEXIST` */
function writeMarker(file: string, content: z.infer<typeof marker>, replaces: boolean): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
  if (replaces) renameSync(draft, file);
  else publish(draft, file);
}

function readMarker(file: string): z.infer<typeof marker> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return z.parse(marker, JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is damaged: empty the folder, and restore again`, { cause: error });
  }
}
