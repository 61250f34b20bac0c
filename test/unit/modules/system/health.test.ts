import '../../../support/environment.ts';
import { constants, type promises, type StatsFs } from 'node:fs';
import { afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type * as Environment from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { stopTime } from '../../../support/fake-time.ts';
import { call } from '../../shared/http/fake-request.ts';

const folders = { storageDir: '/data', dataDir: '/data', isDeployed: false };
const stores = {
  database: jest.fn(async () => {}),
  cache: jest.fn(async () => 'PONG'),
  statfs: jest.fn<(folder: string) => Promise<Pick<StatsFs, 'bavail' | 'bsize'>>>(),
  access: jest.fn<(folder: string, mode: number) => Promise<void>>(),
};
jest.mock('node:fs/promises', () => ({
  ...jest.requireActual<typeof promises>('node:fs/promises'),
  statfs: (folder: string) => stores.statfs(folder),
  access: (folder: string, mode: number) => stores.access(folder, mode),
}));
jest.mock('#shared/db/items.ts', () => ({ getItem: () => stores.database() }));
jest.mock('#shared/cache/redis.ts', () => ({ redis: () => ({ ping: () => stores.cache() }) }));
jest.mock('#shared/config/environment.ts', () => {
  const actual = jest.requireActual<typeof Environment>('#shared/config/environment.ts');
  return { ...actual, environment: () => ({ ...actual.environment(), ...folders }) };
});

const mebibyte = 1024 * 1024;
/** Answers of the disks, by folder. */
function setDisks(free: Record<string, number>): void {
  stores.access.mockResolvedValue(undefined);
  stores.statfs.mockImplementation(async (folder) => ({ bavail: (free[folder] ?? 0) / 4096, bsize: 4096 }));
}
afterEach(() => {
  Object.assign(folders, { storageDir: '/data', dataDir: '/data', isDeployed: false });
  stores.database.mockResolvedValue(undefined);
});

beforeAll(stopTime);
// The checks of the test before are old.
beforeEach(() => {
  jest.advanceTimersByTime(1000);
});
afterEach(() => {
  jest.clearAllMocks();
});

async function ask() {
  const { default: route } = await import('#modules/System/Web/health.ts');
  const { status, json } = await call(route);
  return { status, data: json?.data };
}

const up = { database: 'up', cache: 'up', disk: 'up' };

test('a disk with enough space is up', async () => {
  setDisks({ '/data': 65 * mebibyte });

  expect(await ask()).toEqual({ status: 200, data: { status: 'ok', checks: up } });
  expect(stores.access).toHaveBeenCalledWith('/data', constants.W_OK);
});

test('a disk that is almost full is down, and the service degraded', async () => {
  setDisks({ '/data': 63 * mebibyte });

  expect(await ask()).toEqual({
    status: 200,
    data: { status: 'degraded', checks: { ...up, disk: 'down' } },
  });
});

test('a read-only disk is down', async () => {
  setDisks({ '/data': 65 * mebibyte });
  stores.access.mockRejectedValue(Object.assign(new Error('EROFS'), { code: 'EROFS' }));

  expect((await ask()).data).toMatchObject({ status: 'degraded', checks: { disk: 'down' } });
});

test('the disk of the local database counts beside that of the storage', async () => {
  folders.storageDir = '/files';
  setDisks({ '/files': 65 * mebibyte, '/data': 63 * mebibyte });

  expect((await ask()).data).toMatchObject({ checks: { disk: 'down' } });
});

test('a deployed function has no disk without STORAGE_DIR', async () => {
  Object.assign(folders, { storageDir: undefined, isDeployed: true });
  setDisks({});

  expect((await ask()).data).toEqual({ status: 'ok', checks: { database: 'up', cache: 'up' } });
});

test('a database that cannot write for its disk is down', async () => {
  setDisks({ '/data': 0 });
  stores.database.mockRejectedValue(new AppError('database.unavailable'));
  const complain = jest.spyOn(console, 'error').mockImplementation(() => {});

  expect(await ask()).toEqual({
    status: 503,
    data: { status: 'down', checks: { database: 'down', cache: 'up', disk: 'down' } },
  });
  expect(complain).toHaveBeenCalled();
});

test('asks the stores at most once a second, for any number of requests', async () => {
  setDisks({ '/data': 65 * mebibyte });

  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  jest.advanceTimersByTime(999);
  answers.push(await ask());

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect([stores.database, stores.cache, stores.statfs].map(({ mock }) => mock.calls.length)).toEqual([
    1, 1, 1,
  ]);

  jest.advanceTimersByTime(1);
  stores.cache.mockRejectedValueOnce(new Error('away'));

  expect((await ask()).data).toMatchObject({ status: 'degraded', checks: { cache: 'down' } });
  expect(stores.database).toHaveBeenCalledTimes(2);
});
