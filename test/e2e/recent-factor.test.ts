import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { outcome } from '../support/answers.ts';
import type { Client } from '../support/client.ts';
import { stopClock } from '../support/fake-time.ts';
import { useFunctions } from '../support/use-functions.ts';
import { wordsOf } from '../support/words.ts';
import { createGuard, type Guarded, stepMs } from './second-factor-fixture.ts';

// Routes that ask for a second factor that was given within ten minutes.

const access = useFunctions({ environment: { THROTTLE_FACTOR: '1000' } });
const { functions, admin, client, addAdmin } = access;
const { addGuarded, challenge, second, setMode } = createGuard(access);
const system = '/adminapi/system';
const minuteMs = 60_000;
const ok = { status: 200, code: 'ok' };
const required = { status: 403, code: 'auth.factor_required' };

beforeAll(async () => {
  stopClock();
  await setMode('optional');
});
afterAll(() => void jest.useRealTimers());
const pass = (ms: number) => jest.setSystemTime(Date.now() + ms);

async function logIn(person: Guarded): Promise<Client> {
  return client.as((await second(await challenge(person), person.codeAt())).data.token);
}
let count = 0;
const addRole = (as: Client) => {
  count += 1;
  return as.post(`${system}/role/add`, { name: `Role ${count}`, grants: [] });
};
const give = (as: Client, code: string) => as.post(`${system}/login/factor`, { code });

test('the routes are those that give rights, or change who can log in', () => {
  // Modules may have more.
  const asking = functions.manifest.routes.filter(
    ({ route, path }) => route.recentFactor && path.startsWith(`${system}/`),
  );

  const expected = wordsOf(`
    admin/add admin/delete admin/edit admin/factor/reset admin/invite admin/password admin/roles
    admin/sso/begin admin/sso/bind admin/sso/remove admin/token/add admin/token/revoke oauth/client/add
    oauth/client/delete oauth/client/revoke role/add role/delete role/edit
  `);
  expect(asking.map(({ path }) => path.replace(`${system}/`, '')).sort()).toEqual(expected);
});

describe('a route that asks for a recent factor', () => {
  test('is open for ten minutes after a login with the factor, and then after each new code', async () => {
    const person = await addGuarded({ super: true });
    const own = await logIn(person);

    expect(await addRole(own)).toMatchObject(ok);
    pass(10 * minuteMs);
    expect(await addRole(own)).toMatchObject(ok);
    pass(1000);
    expect(await addRole(own)).toMatchObject(required);
    expect(await give(own, '000000')).toMatchObject({ status: 422, errors: [{ path: 'body.code' }] });
    expect(await addRole(own)).toMatchObject(required);
    const code = person.codeAt();
    expect(await give(own, code)).toMatchObject(ok);
    expect(await addRole(own)).toMatchObject(ok);
    pass(11 * minuteMs);
    expect(await give(own, code)).toMatchObject({ status: 422 });
    expect(await give(own, person.codes[0] ?? '')).toMatchObject(ok);
    expect(await addRole(own)).toMatchObject(ok);
  });

  test('refuses a session from before the factor was set up, and that of another device', async () => {
    const person = await addGuarded({ super: true });
    const other = await logIn(person);

    expect(await addRole(person.client)).toMatchObject(required);
    pass(11 * minuteMs);
    expect(await give(other, person.codeAt())).toMatchObject(ok);
    expect(await addRole(person.client)).toMatchObject(required);
    expect(await addRole(other)).toMatchObject(ok);
  });

  test('says so before it says what is wrong with the body', async () => {
    const person = await addGuarded({ super: true });

    expect(await person.client.post(`${system}/role/add`, { wrong: 1 })).toMatchObject(required);
  });

  test('is named in the audit log when it refuses', async () => {
    const person = await addGuarded({ super: true });

    expect(await addRole(person.client)).toMatchObject(required);

    const { data } = await admin.get(`${system}/audit/list?action=system/role/add&actor=admin:${person.id}`);
    const actor = { kind: 'admin', id: person.id };
    expect(data.list).toMatchObject([{ code: 'auth.factor_required', actor }]);
  });

  test('asks who has no factor for nothing', async () => {
    expect(await addRole((await addAdmin({ super: true })).client)).toMatchObject(ok);
    expect(await give(admin, '000000')).toMatchObject({ status: 409, code: 'factor.not_set' });
  });

  test('refuses every API token, also one of who has no factor', async () => {
    const [guarded, plain] = [await addGuarded({ super: true }), await addAdmin({ super: true })];
    const logins = [{ ...guarded, client: await logIn(guarded) }, plain];
    for (const { client: own, password } of logins) {
      const token = { name: 'program', scope: 'api:write', days: 1, password };
      const made = await own.post(`${system}/admin/token/add`, token);
      const program = client.as(made.data.token);

      expect(await addRole(program)).toMatchObject({ status: 403, code: 'auth.scope_insufficient' });
      expect(await program.get(`${system}/role/list`)).toMatchObject(ok);
      const settings = (group: string, values: object) =>
        program.post(`${system}/setting/config/save`, { group, values });
      const saved = await settings('login', { captcha_enabled: false });
      expect(outcome(saved)).toBe('403 auth.scope_insufficient');
      expect(await settings('basics', { site_name: 'Ours' })).toMatchObject(ok);
    }
  });
});

test('an assistant is connected only with a recent factor, and refused without', async () => {
  const person = await addGuarded({ super: true });
  const answer = (approved: boolean) => person.client.post(`${system}/oauth/approve`, { approved });

  expect(await answer(true)).toMatchObject(required);
  expect((await answer(false)).code).not.toBe(required.code);
  pass(stepMs);
  expect(await give(person.client, person.codeAt())).toMatchObject(ok);
  expect((await answer(true)).code).not.toBe(required.code);
});

describe('settings', () => {
  const save = (as: Client, group: string, values: object) =>
    as.post(`${system}/setting/config/save`, { group, values });

  test('of login and storage ask for a recent factor, and others do not', async () => {
    const person = await addGuarded({ super: true });

    expect(await save(person.client, 'login', { two_factor: 'off' })).toMatchObject(required);
    expect(await save(person.client, 'oidc', { button: 'x' })).toMatchObject(required);
    expect(await save(person.client, 'storage', { default: '' })).toMatchObject(required);
    expect(await save(person.client, 's3', { region: 'x' })).toMatchObject(required);
    expect(await save(person.client, 'basics', { site_name: 'Ours' })).toMatchObject(ok);
    pass(stepMs);
    expect(await give(person.client, person.codeAt())).toMatchObject(ok);
    expect(await save(person.client, 'login', { two_factor: 'optional' })).toMatchObject(ok);
  });
});
