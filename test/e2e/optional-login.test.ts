import { expect, test } from '@jest/globals';
import { copyProject } from '../support/project-copy.ts';
import { startSwitchableStores } from '../support/stores.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { createPhones, newMobile } from './user-fixture.ts';

const route = `
  import * as z from 'zod/mini';
  import { api } from '#shared/http/route.ts';
  export default api.openGet({
    middleware: ['api.try-auth'],
    summary: { zh_CN: '试', en: 'Trial' },
    data: z.nullable(z.string()),
    handler: async ({ userId }) => userId,
  });`;

const copy = copyProject();
copy.write('modules/System/Api/whoami.ts', route);
const stores = useRunning(startSwitchableStores);
const { server, client, admin } = useServer(() => ({ root: copy.root, environment: stores.environment }));

/** The user that the optional login found; null for a guest. */
async function whoAmI(token?: string): Promise<unknown> {
  const { status, data } = await client.get('/api/system/whoami', { token });
  expect(status).toBe(200);
  return data;
}

test('a caller with a valid token is a user, every other caller is a guest', async () => {
  const { token, user } = (await createPhones(server, client).register(newMobile())).data;
  const asUser = await whoAmI(token);

  const guests: unknown[] = [];
  for (const bad of [undefined, 'broken', `${token}x`, admin.token]) guests.push(await whoAmI(bad));
  stores.cache.setMode('refuse');
  stores.database.setMode('refuse');
  const storesAway = await whoAmI(token);
  stores.cache.setMode('pass');
  stores.database.setMode('pass');
  await client.get('/api/system/login/logout', { token: token });
  const revoked = await whoAmI(token);

  expect(asUser).toBe(user.id);
  expect(guests).toEqual([null, null, null, null]);
  expect(storesAway).toBeNull();
  expect(revoked).toBeNull();
});
