import { expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { startLogin } from '#modules/System/admins/admin-login.ts';
import { addAdmin, getAdmin } from '#modules/System/admins/admins.ts';
import { login } from '#modules/System/admins/settings.ts';
import { beginSetUp, storeSetUp } from '#modules/System/factors/change-factor.ts';
import { describeFactor } from '#modules/System/factors/own-factor.ts';
import { writeValues } from '#shared/settings/store.ts';
import { useDatabase } from '../support/database.ts';
import { projectRoot } from '../support/local-server.ts';
import { runScript } from '../support/run-service.ts';
import { createAuthenticator } from '../support/software-authenticator.ts';
import { readLog } from '../support/use-functions.ts';
import { createApp } from './second-factor-fixture.ts';

// `admin:unlock`.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

const run = (...args: string[]) =>
  runScript('cli/service.ts', ['admin:unlock', ...args], projectRoot, process.env);
const password = 'a long password';

test('removes the second factor of an administrator, and is in the audit log', async () => {
  await writeValues(login, { two_factor: 'optional' });
  const { id } = await addAdmin({ account: 'mei', name: 'Mei', password });
  const begun = await beginSetUp(id, { password, method: 'totp' });
  if (!('secret' in begun)) throw new TypeError('expected a secret');
  await storeSetUp(id, { setup: begun.setup, code: createApp(begun.secret)() });
  const logIn = () =>
    startLogin({ account: 'mei', password, origin: { address: '192.0.2.1', device: '' }, mode: 'optional' });
  expect(await logIn()).toHaveProperty('challenge');

  const unasked = await run('mei');
  expect(unasked).toMatchObject({ code: 1, complaint: expect.stringContaining('Add --yes') });
  expect(await getAdmin(id)).toMatchObject({ two_factor: true });

  const removed = await run('mei', '--yes');
  expect(removed).toMatchObject({ code: 0, printed: expect.stringMatching(/^Removed: mei /) });
  expect(await getAdmin(id)).toMatchObject({ two_factor: false });
  expect(await logIn()).toHaveProperty('token');
  expect((await readLog()).filter(({ action }) => action === 'cli/admin:unlock')).toMatchObject([
    { actor: { kind: 'cli' }, outcome: 'ok', fields: { account: 'mei' }, target: `admin:${id}` },
  ]);
});

test('removes passkeys too', async () => {
  const { id } = await addAdmin({ account: 'lin', name: 'Lin', password });
  const begun = await beginSetUp(id, { password, method: 'passkey' });
  if (!('passkey' in begun)) throw new TypeError('expected options');
  const passkey = Object.assign(createAuthenticator().create(begun.passkey), { type: 'public-key' as const });
  await storeSetUp(id, { setup: begun.setup, passkey });

  const removed = await run('lin', '--yes');
  expect(removed).toMatchObject({ code: 0, printed: expect.stringMatching(/^Removed: lin /) });

  expect(await describeFactor(id)).toMatchObject({ passkeys: [], codes_left: 0 });
  expect(await getAdmin(id)).toMatchObject({ two_factor: false });
});

test('changes nothing without a factor, and names an account that does not exist', async () => {
  const printed = 'Nothing to do: mei has no second factor';
  const complaint = 'There is no administrator unknown';
  expect(await run('mei', '--yes')).toMatchObject({ code: 0, printed });
  expect(await run('unknown', '--yes')).toMatchObject({ code: 1, complaint });
});
