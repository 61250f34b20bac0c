import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { outcome } from '../support/answers.ts';
import type { Client } from '../support/client.ts';
import { stopClock } from '../support/fake-time.ts';
import { readLog, useFunctions } from '../support/use-functions.ts';
import { loginPath } from './second-factor-fixture.ts';
import { createSso, login, useProvider } from './sso-fixture.ts';

// An invited administrator chooses the own password, or log in by the OpenID provider.

const provider = useProvider();
const access = useFunctions({ environment: { THROTTLE_FACTOR: '1000' } });
const { admin, client, addAdmin, addRole, saveSettings } = access;
const { enter, setUp, visit } = createSso(access, provider);

const system = '/adminapi/system';
const password = 'a password of the invited';
const ok = { status: 200, code: 'ok' };
const invalid = { status: 401, code: 'auth.invitation_invalid', data: null };

beforeAll(() => setUp());
let count = 0;
async function invite(options: object = {}, as: Client = admin) {
  count += 1;
  const account = `invited-${count}`;
  const answer = await as.post(`${system}/admin/invite`, { account, name: 'Invited', ...options });
  const link = String(answer.data?.url);
  return { answer, account, link, secret: link.split('#')[1] ?? '', id: answer.data?.id };
}
const accept = (invitation: string, given: object = { password }) =>
  client.post(`${login}/invitation`, { invitation, ...given });
/** An administrator who may invite, and has one more right. */
const addInviter = () => addAdmin({ grants: ['system/admin:write', 'system/role:read'] });

describe('an invitation', () => {
  test('is a link that lets the invited choose the password, and logs them in', async () => {
    const role = await addRole('system/role:read');
    const { account, link, secret, id } = await invite({ role_ids: [role] });
    const { data: pending } = await admin.get(`${system}/admin/detail?id=${id}`);
    expect(pending).toMatchObject({ account, has_password: false, role_ids: [role] });
    expect(link).toMatch(/^http:\/\/localhost:3000\/console\/invitation#invited-\d+\.[\w-]{32}$/);

    const accepted = await accept(secret);

    expect(accepted.data.admin).toMatchObject({ id, account, has_password: true, role_ids: [role] });
    expect(await client.as(accepted.data.token).get(`${system}/role/list`)).toMatchObject(ok);
    expect(await client.post(loginPath, { account, password })).toMatchObject(ok);
    expect(JSON.stringify(await readLog())).not.toContain(secret.split('.')[1]);
  });

  test('is taken once, also by two requests at the same time', async () => {
    const { account, secret } = await invite();
    const other = 'another password of the invited';

    const answers = await Promise.all([accept(secret), accept(secret, { password: other })]);

    expect(answers.map(({ code }) => code).sort()).toEqual(['auth.invitation_invalid', 'ok']);
    const chosen = answers[0]?.code === 'ok' ? password : other;
    expect(await client.post(loginPath, { account, password: chosen })).toMatchObject(ok);
    expect(await accept(secret)).toMatchObject(invalid);
  });

  test('ends after three days', async () => {
    const { answer, secret } = await invite();
    stopClock();
    jest.setSystemTime(Date.parse(answer.data.expires_at));
    expect(await accept(secret)).toMatchObject(invalid);
    jest.setSystemTime(Date.parse(answer.data.expires_at) - 1000);
    expect(await accept(secret)).toMatchObject(ok);
    jest.useRealTimers();
  });

  test('is replaced by the next one for the same account, until it is accepted', async () => {
    const first = await invite();
    const again = () => admin.post(`${system}/admin/invite`, { account: first.account, name: 'Invited' });
    const second = await again();

    expect(second.data.id).toBe(first.id);
    expect(await accept(first.secret)).toMatchObject(invalid);
    expect(await accept(second.data.url.split('#')[1])).toMatchObject(ok);
    expect(await again()).toMatchObject({ status: 409, code: 'admin.account_exists' });
  });

  test('is refused if it is guessed, with the same answer for every account', async () => {
    const { account, secret } = await invite();
    const known = ['', 'A'.repeat(32)].flatMap((guess) => [`${account}.${guess}`, `admin.${guess}`]);
    const guesses = [`unknown.${secret.split('.')[1]}`, ...known, '.', 'x', '😀', '\0.x'];
    for (const guess of guesses) expect(await accept(guess)).toMatchObject(invalid);
    const messages = await Promise.all(guesses.map(async (guess) => (await accept(guess)).message));
    expect(new Set(messages).size).toBe(1);
    expect(await accept(secret)).toMatchObject(ok);
  });

  test('needs a password that is not easy to guess, and is not used up by one that is', async () => {
    const { account, secret } = await invite();

    const refused = { status: 422, errors: [{ path: 'body.password' }] };
    for (const weak of ['password', account, 'short', undefined])
      expect(await accept(secret, { password: weak })).toMatchObject(refused);
    expect(await accept(secret)).toMatchObject(ok);
  });

  test('asks for a second factor if the settings require one', async () => {
    await saveSettings('login', { two_factor: 'required' });
    const { secret } = await invite();
    expect((await accept(secret)).data).toMatchObject({ challenge: expect.any(String), methods: ['setup'] });
    await saveSettings('login', { two_factor: 'off' });
  });
});

describe('before it is accepted', () => {
  test('it leads to no login, and others see who was invited', async () => {
    const { account, id } = await invite();

    const refused = { status: 401, code: 'auth.credentials_invalid' };
    for (const tried of [' ', '*', 'undefined', password])
      expect(await client.post(loginPath, { account, password: tried })).toMatchObject(refused);
    const { data, text } = await admin.get(`${system}/admin/detail?id=${id}`);
    expect(data).toMatchObject({ has_password: false, status: 'enabled' });
    expect(text).not.toMatch(/hash|invit(?!ed)/);
  });

  test.each([
    ['disabled', (id: string) => ['admin/edit', { id, status: 'disabled' }]],
    ['deleted', (id: string) => ['admin/delete', { id }]],
    ['given a password by another', (id: string) => ['admin/password', { id, password }]],
  ])('the invited can be %s, which ends the invitation', async (_title, toCall) => {
    const { secret, id } = await invite();
    const [path, body] = toCall(id);
    expect(await admin.post(`${system}/${path}`, body)).toMatchObject(ok);

    expect(await accept(secret)).toMatchObject(invalid);
    if (path !== 'admin/edit') return;
    // For good, as tokens.
    expect(await admin.post(`${system}/admin/edit`, { id, status: 'enabled' })).toMatchObject(ok);
    expect(await accept(secret)).toMatchObject(invalid);
  });
});

describe('who invites', () => {
  test('gives no more than the own rights', async () => {
    const { client: own } = await addInviter();
    const exceeds = { status: 403, code: 'role.exceeds' };
    const [high, low] = [await addRole('system/audit:read'), await addRole('system/role:read')];

    expect((await invite({ role_ids: [high] }, own)).answer).toMatchObject(exceeds);
    expect((await invite({ super: true }, own)).answer).toMatchObject(exceeds);
    expect((await invite({ role_ids: [low] }, own)).answer).toMatchObject(ok);
    // A new link for one who has more would give it to who asks.
    const above = await invite({ role_ids: [high] });
    const again = { account: above.account, name: 'Invited' };
    expect(await own.post(`${system}/admin/invite`, again)).toMatchObject(exceeds);
    expect(await accept(above.secret)).toMatchObject(ok);
  });

  test('needs the right to it', async () => {
    const { client: own } = await addAdmin({ grants: ['system/admin:read', 'system/role:write'] });
    expect((await invite({}, own)).answer).toMatchObject({ status: 403, code: 'auth.permission_denied' });
    expect((await invite({}, client)).answer).toMatchObject({ status: 401 });
  });

  test('gets no link for an account that has a login', async () => {
    const { account } = await addAdmin();
    const taken = { status: 409, code: 'admin.account_exists' };
    expect(await admin.post(`${system}/admin/invite`, { account, name: 'x' })).toMatchObject(taken);

    await setUp({ create: await addRole('system/role:read') });
    const { data } = await enter('by-provider');
    await setUp();
    const bound = { account: data.admin.account, name: 'x' };
    expect(await admin.post(`${system}/admin/invite`, bound)).toMatchObject(taken);
  });

  test.each([
    ['was disabled', (id: string) => ['admin/edit', { id, status: 'disabled' }]],
    ['was deleted', (id: string) => ['admin/delete', { id }]],
    ['may invite no more', (id: string) => ['admin/roles', { id, role_ids: [] }]],
  ])('and %s meanwhile has invited no one', async (_title, toCall) => {
    const inviter = await addInviter();
    const { secret } = await invite({ role_ids: [await addRole('system/role:read')] }, inviter.client);
    const [path, body] = toCall(inviter.id);
    expect(await admin.post(`${system}/${path}`, body)).toMatchObject(ok);

    expect(await accept(secret)).toMatchObject(invalid);
  });

  test('and has fewer rights than the invited meanwhile has invited no one, until they are back', async () => {
    const both = [await addRole('system/admin:write'), await addRole('system/role:read')];
    const inviter = await addAdmin({ roles: both });
    const { secret } = await invite({ role_ids: both.slice(1) }, inviter.client);
    const setRoles = (role_ids: string[]) =>
      admin.post(`${system}/admin/roles`, { id: inviter.id, role_ids });

    expect(await setRoles(both.slice(0, 1))).toMatchObject(ok);
    expect(await accept(secret)).toMatchObject(invalid);
    expect(await setRoles(both)).toMatchObject(ok);
    expect(await accept(secret)).toMatchObject(ok);
  });
});

describe('with the OpenID provider', () => {
  const byProvider = async (invitation: string, name: string) => {
    const { flow, callback } = await visit(name, 'invitation');
    return accept(invitation, { sso: { flow, ...callback } });
  };

  test('the invited needs no password, and logs in there from then on', async () => {
    const { secret, id, account } = await invite();

    const accepted = await byProvider(secret, 'friend');

    expect(accepted.data.admin).toMatchObject({ id, has_password: false });
    expect(Date.parse(accepted.data.expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect((await enter('friend')).data.admin.id).toBe(id);
    expect(await accept(secret)).toMatchObject(invalid);
    expect(await client.post(loginPath, { account, password })).toMatchObject({ status: 401 });
  });

  test('an account that is bound already accepts nothing, and leaves the invitation', async () => {
    await byProvider((await invite()).secret, 'taken');
    const { secret } = await invite();

    expect(await byProvider(secret, 'taken')).toMatchObject({ status: 409, code: 'sso.bound' });
    expect(await byProvider(secret, 'not-taken')).toMatchObject(ok);
  });

  test('a login that was begun without the invitation does not accept it', async () => {
    const { secret } = await invite();
    const { flow, callback } = await visit('stranger');
    const answer = await accept(secret, { sso: { flow, ...callback } });
    expect(outcome(answer)).toBe('401 auth.sso_invalid');
  });
});

describe('the last super administrator with a password', () => {
  let firstId = '';
  beforeAll(async () => {
    firstId = (await admin.get(`${system}/admin/info`)).data.id;
  });
  afterAll(() => expect(admin.get(`${system}/admin/info`)).resolves.toMatchObject(ok));
  const lastSuper = { status: 409, code: 'admin.last_super' };

  test('remains, also if others were invited or log in by the provider', async () => {
    const pending = await invite({ super: true });
    const bound = await invite({ super: true });
    const { flow, callback } = await visit('root', 'invitation');
    const accepted = await accept(bound.secret, { sso: { flow, ...callback } });
    const root = client.as(accepted.data.token);
    expect(await root.get(`${system}/admin/info`)).toMatchObject({ data: { super: true } });

    for (const [path, body] of [
      ['admin/edit', { id: firstId, status: 'disabled' }],
      ['admin/roles', { id: firstId, role_ids: [], super: false }],
      ['admin/delete', { id: firstId }],
    ] as const)
      expect(await root.post(`${system}/${path}`, body)).toMatchObject(lastSuper);

    // With a password, the other counts.
    const other = await accept(pending.secret);
    expect(other).toMatchObject(ok);
    const rights = (isSuper: boolean) =>
      root.post(`${system}/admin/roles`, { id: firstId, role_ids: [], super: isSuper });
    expect(await rights(false)).toMatchObject(ok);
    const demote = { id: pending.id, role_ids: [], super: false };
    expect(await root.post(`${system}/admin/roles`, demote)).toMatchObject(lastSuper);
    expect(await rights(true)).toMatchObject(ok);
    expect(await root.post(`${system}/admin/delete`, { id: pending.id })).toMatchObject(ok);
    await access.logInAgain();
    expect(await admin.post(`${system}/admin/delete`, { id: bound.id })).toMatchObject(ok);
  });

  test('is counted once: by a password that another sets, and by a second one', async () => {
    const pending = await invite({ super: true });
    const set = () => admin.post(`${system}/admin/password`, { id: pending.id, password });
    expect(await set()).toMatchObject(ok);
    expect(await set()).toMatchObject(ok);
    const own = client.as((await client.post(loginPath, { account: pending.account, password })).data.token);
    expect(await own.post(`${system}/admin/edit`, { id: firstId, status: 'disabled' })).toMatchObject(ok);
    expect(await own.post(`${system}/admin/edit`, { id: firstId, status: 'enabled' })).toMatchObject(ok);
    await access.logInAgain();
    expect(await admin.post(`${system}/admin/delete`, { id: pending.id })).toMatchObject(ok);
    const third = await invite({ super: true });
    const { flow, callback } = await visit('third', 'invitation');
    const token = (await accept(third.secret, { sso: { flow, ...callback } })).data.token;
    const delete_ = await client.as(token).post(`${system}/admin/delete`, { id: firstId });
    expect(delete_).toMatchObject(lastSuper);
  });
});
