import { existsSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { locateFolders } from '#shared/storage/engines/local/folders.ts';
import { isRunning } from '../local/data-directory.ts';
import { findLocalEngine, type LocalEngineName } from '../local/dynamodb-engine.ts';
import { isEntryName } from './archive.ts';

const workPrefix = 'backup-';

/**
 * A folder for the temporary files of this process, beside the data and so on its disk. Folders that killed processes
 * have left are removed. @returns its path
 */
export function createWorkFolder(folder: string): string {
  for (const name of readdirSync(folder)) {
    const [, pid] = new RegExp(`^${workPrefix}(\\d+)$`).exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
  const work = join(folder, `${workPrefix}${process.pid}`);
  mkdirSync(work, { mode: 0o700 });
  return work;
}

interface DatabasePlace {
  dataDir: string;
  environment: NodeJS.ProcessEnv;
  engine?: LocalEngineName;
}

/**
 * Copies the database as it is at one moment, while the service may write to it.
 *
 * @param work becomes the `dataDir` of an engine that runs on the copy
 * @returns the name of its engine
 * @throws Error if the installed engine has no database in `dataDir`
 */
export async function copyDatabase({ dataDir, environment, engine }: DatabasePlace, work: string) {
  const { name, file } = await findLocalEngine(environment, engine);
  const source = join(dataDir, 'dynamodb', name, file);
  if (!existsSync(source))
    throw new Error(`${dataDir} has no database of ${name}: nothing was installed there`);
  const target = join(work, 'dynamodb', name, file);
  mkdirSync(dirname(target), { recursive: true });
  const database = new DatabaseSync(source, { timeout: 10_000 });
  try {
    // In one step: SQLite begins again if the database is changed between two steps.
    await backup(database, target, { rate: 2 ** 31 - 1 });
  } finally {
    database.close();
  }
  return name;
}

/** The name of a file of local storage in a backup. @param path from the folder `storage/`, with `/` */
const toEntryName = (path: string): string => `storage/${path}`;

/** Parts that are being received: their clients send them again. */
const isPart = (path: string): boolean => path.startsWith('parts/');

/** Files of local storage that a backup takes, by their paths from `storage/`; `left` are not the service's. */
function listFiles(storageDir: string): { taken: string[]; left: string[] } {
  const { home } = locateFolders(storageDir);
  if (!existsSync(home)) return { taken: [], left: [] };
  const paths = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ path: relative(home, join(entry.parentPath, entry.name)), isFile: entry.isFile() }))
    .filter(({ path }) => !isPart(path));
  const isTaken = ({ path, isFile }: (typeof paths)[number]) => isFile && isEntryName(toEntryName(path));
  const list = (wanted: boolean) => paths.filter((each) => isTaken(each) === wanted).map(({ path }) => path);
  return { taken: list(true), left: list(false) };
}

/** Files of one moment: links to the stored ones, which are never written again, but may be deleted. */
export class LinkedFiles {
  readonly #storageDir: string;
  readonly #links: string;
  #last = new Set<string>();
  readonly #linked = new Set<string>();
  left: string[] = [];

  /** @param work a folder on the same disk */
  constructor(storageDir: string, work: string) {
    this.#storageDir = storageDir;
    this.#links = join(work, 'files');
  }

  /** Links all files that are there now. Call it before and after the database is copied. */
  link(): void {
    const { home } = locateFolders(this.#storageDir);
    const { taken, left } = listFiles(this.#storageDir);
    this.#last = new Set(taken);
    this.left = left;
    for (const path of taken.filter((each) => !this.#linked.has(each))) {
      const link = join(this.#links, path);
      mkdirSync(dirname(link), { recursive: true });
      try {
        linkSync(join(home, path), link);
        this.#linked.add(path);
      } catch (error) {
        // It was deleted meanwhile.
        if (Object(error).code !== 'ENOENT') throw error;
      }
    }
  }

  /** Files that were there at the end, or that a record of the copied database names. */
  *list(isNamed: (path: string) => boolean): Generator<{ path: string; name: string; link: string }> {
    for (const path of this.#linked)
      if (this.#last.has(path) || isNamed(path))
        yield { path, name: toEntryName(path), link: join(this.#links, path) };
  }
}
