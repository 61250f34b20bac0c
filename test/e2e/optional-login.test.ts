import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from '../support/client.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { type SwitchableStores, startSwitchableStores } from '../support/stores.ts';

const route = `
  import * as z from 'zod/mini';
  import { api } from '#shared/http/route.ts';
  export default api.openGet({
    middleware: ['api.try-auth'],
    summary: { zh_CN: '试', en: 'Trial' },
    data: z.nullable(z.string()),
    handler: async ({ userId }) => userId,
  });`;

let stores: SwitchableStores;
let server: LocalServer;

beforeAll(async () => {
  const copy = copyProject();
  copy.write('modules/System/Api/whoami.ts', route);
  stores = await startSwitchableStores();
  server = await startLocalServer({ root: copy.root, environment: stores.environment });
});

afterAll(async () => {
  await server?.stop();
  await stores?.stop();
});

/** The user that the optional login found; null for a guest. */
async function whoAmI(token?: string): Promise<unknown> {
  const response = await fetch(`${server.url}/api/system/whoami`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return Object(await response.json()).data;
}

async function register(): Promise<{ id: string; token: string }> {
  const client = createClient(server.url);
  const mobile = '13800000001';
  await client.post('/api/system/login/sendCode', { mobile, scene: 'register' });
  const lines = readFileSync(join(server.dataDir, 'sms.jsonl'), 'utf8').trim().split('\n');
  const { code } = JSON.parse(lines.at(-1) ?? '');
  const answer = await client.post('/api/system/login/register', {
    terminal: 3,
    mobile,
    code,
    password: 'password-1',
  });
  const { token, user } = Object(answer.data);
  return { id: user.id, token };
}

test('a caller with a valid token is a user, every other caller is a guest', async () => {
  const client = createClient(server.url);
  const user = await register();
  const adminToken = await client.login();
  const asUser = await whoAmI(user.token);

  const guests = [
    await whoAmI(),
    await whoAmI('broken'),
    await whoAmI(`${user.token}x`),
    await whoAmI(adminToken),
  ];
  stores.cache.setMode('refuse');
  stores.database.setMode('refuse');
  const storesAway = await whoAmI(user.token);
  stores.cache.setMode('pass');
  stores.database.setMode('pass');
  await client.get('/api/system/login/logout', { token: user.token });
  const revoked = await whoAmI(user.token);

  expect(asUser).toBe(user.id);
  expect(guests).toEqual([null, null, null, null]);
  expect(storesAway).toBeNull();
  expect(revoked).toBeNull();
});
