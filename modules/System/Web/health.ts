import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { redis } from '#shared/cache/redis.ts';
import { environment } from '#shared/config/environment.ts';
import { getItem } from '#shared/db/items.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { web } from '#shared/http/route.ts';
import { log } from '#shared/log/log.ts';

const check = z.enum(['up', 'down']);

const health = z.strictObject({
  status: z.enum(['ok', 'degraded', 'down']),
  checks: z.strictObject({
    database: check,
    cache: check,
    /** Only with a disk. `down`: it is read-only, or has less than 64 MiB free. */
    disk: z.optional(check),
  }),
});

/** With less free space, uploads and the local database may fail at any time. */
const leastFreeBytes = 64 * 1024 * 1024;

export default web.get({
  summary: { zh_CN: '健康检查', en: 'Health of the service' },
  data: health,
  errors: ['database.unavailable'],
  reference: { errorData: { 'database.unavailable': health } },
  handler: async () => {
    const checks = await readChecks();
    if (checks.database === 'down') {
      throw new AppError('database.unavailable', { data: { status: 'down', checks } });
    }
    return { status: Object.values(checks).includes('down') ? 'degraded' : 'ok', checks } as const;
  },
});

type Checks = z.infer<typeof health>['checks'];

/** Anybody may ask, as often as they like: the stores are asked at most this often by one instance, in milliseconds. */
const askAgainMs = 1000;
let last: { atMs: number; checks: Promise<Checks> } | undefined;

function readChecks(): Promise<Checks> {
  const now = performance.now();
  if (!last || now - last.atMs >= askAgainMs) last = { atMs: now, checks: runChecks() };
  return last.checks;
}

async function runChecks(): Promise<Checks> {
  const folders = listFolders();
  const [database, cache, disk] = await settleAll([
    probe('database', () => getItem({ pk: 'HEALTH', sk: 'HEALTH' })),
    probe('cache', () => redis().ping()),
    probe('disk', () => settleAll(folders.map(checkDisk))),
  ]);
  return { database, cache, ...(folders.length > 0 && { disk }) };
}

/** Checks whether a store answers; logs the error if not. */
async function probe(store: string, ask: () => Promise<unknown>): Promise<'up' | 'down'> {
  try {
    await ask();
    return 'up';
  } catch (error) {
    log.warn('health.down', { store, error });
    return 'down';
  }
}

/** The folders that this service writes to: of local storage, and of the local server's database. */
function listFolders(): string[] {
  const { storageDir, dataDir, isDeployed } = environment();
  const folders = [storageDir, isDeployed ? undefined : dataDir];
  return [...new Set(folders.flatMap((folder) => folder ?? []))];
}

/** @throws Error if the folder's disk is read-only or almost full */
async function checkDisk(folder: string): Promise<void> {
  await access(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < leastFreeBytes) throw new Error(`the disk of ${folder} is full`);
}
