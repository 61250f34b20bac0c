import { resolve } from 'node:path';
import { discover } from '#functions/discover/discover.ts';
import { readVersion } from '#functions/names.ts';
import { redis } from '#shared/cache/redis.ts';
import { backUp, type Installation } from '../backup/back-up.ts';
import type { Description } from '../backup/description.ts';
import { restore } from '../backup/restore.ts';
import { createCommand } from '../command.ts';
import { loadEnvFile, useEnvironment } from '../environment.ts';
import { findStack } from '../local/data-directory.ts';
import { localTable } from '../local/start-stores.ts';
import { readDataDir, root } from '../project.ts';

/** The local installation that the environment selects. @throws Error if its database is not in `DATA_DIR` */
function readInstallation(): Installation {
  loadEnvFile();
  if (process.env.DYNAMODB_ENDPOINT)
    throw new Error(
      'The database is not in DATA_DIR, but at DYNAMODB_ENDPOINT: this command does not reach it',
    );
  const dataDir = readDataDir();
  // A running server may have been started with other settings.
  const { STORAGE_DIR, TABLE_NAME, APP_KEY } = { ...process.env, ...findStack(dataDir) };
  return {
    dataDir,
    storageDir: resolve(root, STORAGE_DIR || dataDir),
    tableName: TABLE_NAME || localTable,
    environment: { ...process.env, APP_KEY },
  };
}

async function describeCode(): Promise<Pick<Description, 'service' | 'modules'>> {
  const { modules } = await discover(root);
  return {
    service: readVersion(root),
    modules: Object.fromEntries(modules.map(({ manifest: { name, version } }) => [name, version])),
  };
}

const toMebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
/** Most names that are printed. */
const mostNames = 5;

export const backup = createCommand(
  'backup',
  'write the local installation into one file: database, uploaded files and keys; it may run meanwhile',
)
  .argument('<file>', 'a new file')
  .action(async (file) => {
    const { items, files, lost, left, sizeBytes, description } = await backUp(
      file,
      readInstallation(),
      await describeCode(),
    );
    console.log(
      `${file}: ${items} items, ${files} files, ${toMebibytes(sizeBytes)}, of ${description.created_at}`,
    );
    console.log('It holds the keys of this installation and all its data: keep it as a secret');
    const { environment } = description;
    if (environment.length > 0)
      console.log(`Not in it, because set in the environment: ${environment.join(', ')}`);
    if (lost > 0) console.log(`Notice: ${lost} records of files have no file: storage:verify names them`);
    if (left.length > 0) {
      const names = left.slice(0, mostNames).join(', ');
      console.log(`Notice: ${left.length} files in the storage folder are not the service's: ${names}`);
    }
  });

export const restoreCommand = createCommand(
  'restore',
  'restore a backup to an empty or missing DATA_DIR; npm start then runs it',
)
  .argument('<file>', 'a file of backup')
  .action(async (file) => {
    const installation = readInstallation();
    const code = await describeCode();
    const { items, files, description, lacksKeys } = await restore(file, installation);
    const { created_at, environment, modules } = description;
    console.log(`${installation.dataDir}: ${items} items, ${files} files, of ${created_at}`);
    const missing = environment.filter((name) => !process.env[name]);
    if (missing.length > 0)
      console.log(`Set before the start, as it was where the backup was made: ${missing.join(', ')}`);
    if (lacksKeys)
      console.log(
        'APP_KEY lacks keys of the backup: set it before the start, else logins and secret settings are lost',
      );
    const absent = Object.keys(modules).filter((name) => code.modules[name] === undefined);
    if (absent.length > 0)
      console.log(`Modules that are not enabled here, so that their data waits: ${absent.join(', ')}`);
    console.log('Start it with npm start');
  });

/** Begins the keys of this service's copies of the table; counters of throttles stay. */
const ownKeys = 'service:*';
const counterKeys = 'service:throttle:';
const pageSize = 500;

/** Removes this service's copies from the cache. @returns their number @throws CacheUnavailableError */
async function clearCache(): Promise<number> {
  let removed = 0;
  let cursor = '0';
  do {
    const [next, found] = await redis().scan(cursor, { match: ownKeys, count: pageSize });
    cursor = next;
    const keys = found.filter((key) => !key.startsWith(counterKeys));
    for (let at = 0; at < keys.length; at += pageSize)
      removed += await redis().del(...keys.slice(at, at + pageSize));
  } while (cursor !== '0');
  return removed;
}

export const cacheClear = createCommand(
  'cache:clear',
  'remove the copies of the table from the cache, as after a restore; limits go on counting',
).action(async () => {
  useEnvironment();
  console.log(`Removed ${await clearCache()} entries`);
});
