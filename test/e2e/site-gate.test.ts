import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { startLocalServer } from '../support/local-server.ts';
import { startSwitchableStores } from '../support/stores.ts';
import { useRunning } from '../support/use-running.ts';
import { connect, useServer } from '../support/use-server.ts';

const userPath = '/api/system/config/dict?type=bank_kind';

const stores = useRunning(startSwitchableStores);
const { client, admin, saveSettings } = useServer(() => ({ environment: stores.environment }));
const save = (values: object) => saveSettings('basics', values);

beforeEach(() => {
  stores.cache.setMode('pass');
  stores.database.setMode('pass');
});

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

    const asAdmin = await admin.get('/adminapi/system/config/dict?type=bank_kind');
    const health = await client.get('/health');
    await save({ sys_status: '1' });

    expect([asAdmin.status, health.status]).toEqual([200, 200]);
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
  const { client: guest, saveSettings: saveThere, logInAgain } = connect(fresh);
  await logInAgain();
  rmSync(join(fresh.dataDir, 'install.lock'));
  await saveThere('basics', { sys_status: 'off' });

  const answer = await guest.get(userPath);
  await fresh.stop();

  expect(answer.status).toBe(200);
});
