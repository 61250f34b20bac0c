import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Client, createClient } from '../support/client.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { type SwitchableStores, startSwitchableStores } from '../support/stores.ts';

const userPath = '/api/system/config/dict?type=bank_kind';

let stores: SwitchableStores;
let server: LocalServer;
let client: Client;
let token: string;

beforeAll(async () => {
  stores = await startSwitchableStores();
  server = await startLocalServer({ environment: stores.environment });
  client = createClient(server.url);
  token = await client.login();
});

afterAll(async () => {
  await server?.stop();
  await stores?.stop();
});

beforeEach(() => {
  stores.cache.setMode('pass');
  stores.database.setMode('pass');
});

async function save(values: Record<string, unknown>): Promise<void> {
  const body = { group: 'basics', values };
  const answer = await client.post('/adminapi/system/setting/config/save', body, { token });
  expect(answer.status).toBe(200);
}

const ask = () => client.get(userPath);

describe('the site gate', () => {
  test.each(['0', 'false', 'off', 0, false])(
    'closes at %j, and opens again, at the next request',
    async (value) => {
      await save({ sys_status: '1' });
      expect((await ask()).status).toBe(200);

      await save({ sys_status: value });
      const closed = await ask();
      await save({ sys_status: '1' });
      const open = await ask();

      expect(closed).toMatchObject({
        status: 503,
        code: 'site.closed',
        message: '系统当前已关闭，请稍后再试',
      });
      expect(closed.headers.get('retry-after')).toBe('60');
      expect(open.status).toBe(200);
    },
  );

  test.each(['OFF', 'False', ' 0', 'no', '', '00'])('stays open at %j', async (value) => {
    await save({ sys_status: value });

    expect((await ask()).status).toBe(200);
  });

  test('answers the operators’ message, the same in every locale', async () => {
    await save({ sys_status: 'off', closed_message: '升级中' });

    const english = await client.get(userPath, { headers: { 'x-language': 'en' } });
    await save({ sys_status: '1', closed_message: '' });

    expect(english.message).toBe('升级中');
  });

  test('lets administrators and the health check through', async () => {
    await save({ sys_status: 'off' });

    const admin = await client.get('/adminapi/system/config/dict?type=bank_kind', { token });
    const health = await client.get('/health');
    await save({ sys_status: '1' });

    expect([admin.status, health.status]).toEqual([200, 200]);
  });

  describe.each(['refuse', 'hang'] as const)('with a cache that is away (%s)', (mode) => {
    test('asks the database, closed or not', async () => {
      await save({ sys_status: 'off' });
      stores.cache.setMode(mode);
      const closed = await ask();
      stores.cache.setMode('pass');
      await save({ sys_status: '1' });
      stores.cache.setMode(mode);

      const open = await ask();

      expect(closed.code).toBe('site.closed');
      expect(open.status).toBe(200);
    });

    test('passes if the database is not reachable either', async () => {
      await save({ sys_status: 'off' });
      stores.cache.setMode(mode);
      stores.database.setMode('refuse');

      const answer = await ask();
      stores.database.setMode('pass');
      stores.cache.setMode('pass');
      await save({ sys_status: '1' });

      // The gate let it pass; the dictionary itself cannot be read.
      expect(answer).toMatchObject({ status: 503, code: 'database.unavailable' });
    });
  });

  test('serves from the cache while the database is not reachable', async () => {
    await save({ sys_status: 'off' });
    await ask();
    await ask();
    stores.database.setMode('refuse');

    const closed = await ask();

    expect(closed.code).toBe('site.closed');
    stores.database.setMode('pass');
    await save({ sys_status: '1' });
  });
});

test('a service that is not installed passes its gate', async () => {
  const fresh = await startLocalServer();
  const freshClient = createClient(fresh.url);
  const freshToken = await freshClient.login();
  rmSync(join(fresh.dataDir, 'install.lock'));
  const body = { group: 'basics', values: { sys_status: 'off' } };
  await freshClient.post('/adminapi/system/setting/config/save', body, { token: freshToken });

  const answer = await freshClient.get(userPath);
  await fresh.stop();

  expect(answer.status).toBe(200);
});
