import { describe, expect, test } from '@jest/globals';
import { idsOf, outcome, paths } from '../support/answers.ts';
import { useSharedServer } from '../support/use-server.ts';
import { createPhones, mask, newMobile, password, wrongCodeFor } from './user-fixture.ts';

const mine = '/api/user-center';
const theirs = '/adminapi/user-center/user';
const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const { server, client, admin } = useSharedServer();
const phones = createPhones(server, client);

const asAdmin = (path: string) => admin.get(`${theirs}/${path}`);
const profile = (token: string) => client.get(`${mine}/profile`, { token });
const byPassword = (mobile: string, secret = password) =>
  phones.logIn({ scene: 'password', mobile, password: secret });

/** A registered user, logged in. */
async function newUser() {
  const mobile = newMobile();
  return { mobile, ...(await phones.register(mobile)).data };
}

/** A user without a password, logged in. */
async function newUserBySms() {
  const mobile = newMobile();
  const code = await phones.askCode(mobile, 'login');
  return { mobile, ...(await phones.logIn({ scene: 'sms', mobile, code })).data };
}

describe('the profile', () => {
  test("is the caller's own, and shows changes at once", async () => {
    const [{ token, user }, other] = [await newUser(), await newUser()];
    expect((await profile(token)).data).toEqual(user);

    const body = { nickname: ' 小明 ', avatar: 'https://example.com/a.png' };
    const edited = await client.post(`${mine}/profile/edit`, body, { token });

    const expected = { ...user, nickname: '小明', avatar: 'https://example.com/a.png' };
    expect(edited).toMatchObject({ status: 200, data: expected });
    expect((await profile(token)).data).toEqual(expected);
    expect((await client.get('/api/system/user/info', { token })).data).toEqual(expected);
    expect((await profile(other.token)).data).toEqual(other.user);
  });

  test('changes single fields, and nothing without a change', async () => {
    const { token, user } = await newUser();
    const edit = (body: object) => client.post(`${mine}/profile/edit`, body, { token });

    const named = await edit({ nickname: 'Ann' });
    const unchanged = await edit({});

    expect(named.data).toEqual({ ...user, nickname: 'Ann' });
    expect(unchanged.data).toEqual(named.data);
  });

  test('accepts no other fields', async () => {
    const { token, user } = await newUser();
    const edit = (body: object) => client.post(`${mine}/profile/edit`, body, { token });

    const answers = [
      await edit({ nickname: '' }),
      await edit({ nickname: 'x'.repeat(51) }),
      await edit({ avatar: 'x'.repeat(501) }),
      await edit({ avatar: 'a\ud83d' }),
      await edit({ nickname: 'x', status: 'enabled', mobile: '13800000000' }),
    ];

    expect(answers.map(outcome)).toEqual(Array(5).fill('422 request.invalid'));
    const [nickname, avatar] = [['body.nickname'], ['body.avatar']];
    const others = ['body.status', 'body.mobile'];
    expect(answers.map(paths)).toEqual([nickname, nickname, avatar, avatar, others]);
    expect((await profile(token)).data).toEqual(user);
  });
});

describe('changing the password', () => {
  const change = (token: string, body: object) => client.post(`${mine}/password/change`, body, { token });

  test('ends the other sessions and keeps the current one', async () => {
    const { token, mobile } = await newUser();
    const other = (await byPassword(mobile)).data;
    expect((await profile(other.token)).status).toBe(200);

    const changed = await change(token, { old_password: password, password: 'another password' });

    expect(changed).toMatchObject({ status: 200, data: null });
    expect((await profile(token)).status).toBe(200);
    expect(outcome(await profile(other.token))).toBe('401 auth.token_revoked');
    expect(outcome(await byPassword(mobile))).toBe('401 auth.credentials_invalid');
    expect((await byPassword(mobile, 'another password')).status).toBe(200);
  });

  test('needs the correct old password', async () => {
    const { token, mobile } = await newUser();

    const answers = [
      await change(token, { password: 'another password' }),
      await change(token, { old_password: 'wrong password', password: 'another password' }),
      await change(token, { old_password: password, password: 'short' }),
    ];

    expect(answers.map(outcome)).toEqual(Array(3).fill('422 request.invalid'));
    expect(answers.map(paths)).toEqual([['body.old_password'], ['body.old_password'], ['body.password']]);
    expect((await byPassword(mobile)).status).toBe(200);
  });

  test('sets the first password without an old one', async () => {
    const { token, mobile } = await newUserBySms();

    const first = await change(token, { password });
    const second = await change(token, { password: 'another password' });

    expect([outcome(first), outcome(second)]).toEqual(['200 ok', '422 request.invalid']);
    expect((await byPassword(mobile)).status).toBe(200);
  });
});

describe('binding a mobile', () => {
  const bind = (token: string, mobile: string, code: string) =>
    client.post(`${mine}/mobile/bind`, { mobile, code }, { token });

  test('moves the login to the new mobile', async () => {
    const { token, mobile, user } = await newUser();
    const next = newMobile();

    const bound = await bind(token, next, await phones.askCode(next, 'bind_mobile'));

    expect(bound).toMatchObject({ status: 200, data: { ...user, mobile: mask(next) } });
    expect((await profile(token)).data).toEqual(bound.data);
    expect((await byPassword(next)).data.user.id).toBe(user.id);
    expect(outcome(await byPassword(mobile))).toBe('401 auth.credentials_invalid');
    expect((await phones.register(mobile)).data.user.id).not.toBe(user.id);
  });

  test('refuses the mobile of another user only for the correct code', async () => {
    const [{ token, user }, other] = [await newUser(), await newUser()];
    const code = await phones.askCode(other.mobile, 'bind_mobile');

    const wrong = await bind(token, other.mobile, wrongCodeFor(code));
    const right = await bind(token, other.mobile, code);

    expect([outcome(wrong), outcome(right)]).toEqual(['401 auth.code_invalid', '409 user.mobile_exists']);
    expect((await profile(token)).data).toEqual(user);
  });

  test('refuses a code of another scene', async () => {
    const { token } = await newUser();
    const next = newMobile();
    await phones.askCode(next, 'bind_mobile');
    const bindCode = await phones.readCode(next, 'bind_mobile');
    let loginCode = await phones.askCode(next, 'login');
    if (loginCode === bindCode) loginCode = wrongCodeFor(bindCode);

    expect(outcome(await bind(token, next, loginCode))).toBe('401 auth.code_invalid');
  });
});

describe('the users, for administrators,', () => {
  test('are listed newest first, by cursor', async () => {
    const users = [await newUserBySms(), await newUserBySms(), await newUserBySms()];

    const first = await asAdmin('list?limit=2');
    const second = await asAdmin(`list?limit=1&cursor=${first.data.next_cursor}`);

    expect([first, second].flatMap(idsOf)).toEqual(users.map(({ user }) => user.id).reverse());
  });

  test('are found by the time of their creation, and together with a mobile', async () => {
    const { mobile, user } = await newUserBySms();
    const before = new Date(Date.parse(user.created_at) - 1000).toISOString();
    const after = new Date(Date.parse(user.created_at) + 1000).toISOString();

    const within = await asAdmin(`list?limit=100&created_from=${before}&created_before=${after}`);
    const later = await asAdmin(`list?created_from=${after}`);
    const ofMobile = await asAdmin(`list?mobile=${mobile}&created_from=${before}`);
    const notOfMobile = await asAdmin(`list?mobile=${mobile}&created_before=${before}`);
    const wrong = await asAdmin('list?created_from=yesterday');

    expect(idsOf(within)).toContain(user.id);
    expect(idsOf(later)).toEqual([]);
    expect(idsOf(ofMobile)).toEqual([user.id]);
    expect(idsOf(notOfMobile)).toEqual([]);
    expect(wrong).toMatchObject({ status: 422, errors: [{ path: 'query.created_from' }] });
  });

  test('are found by the complete mobile, which is masked in the answer', async () => {
    const { mobile, user } = await newUserBySms();

    const found = await asAdmin(`list?mobile=${mobile}`);
    const unknown = await asAdmin(`list?mobile=${newMobile()}`);
    const part = await asAdmin(`list?mobile=${mobile.slice(0, 7)}`);

    expect(found.data).toEqual({ list: [user], next_cursor: null });
    expect(found.text).not.toContain(mobile);
    expect(unknown.data).toEqual({ list: [], next_cursor: null });
    expect(part).toMatchObject({ status: 422, errors: [{ path: 'query.mobile' }] });
  });

  test('are shown with their last login', async () => {
    const { user, mobile } = await newUser();
    const before = new Date().toISOString();
    await phones.logIn({ terminal: 1, scene: 'password', mobile, password });

    const detail = await asAdmin(`detail?id=${user.id}`);

    expect(detail.data).toEqual({ ...user, terminal: 1, last_login_at: expect.any(String) });
    expect(String(detail.data.last_login_at) >= before).toBe(true);
    expect(detail.text).not.toMatch(/hash|scrypt|epoch/);
  });

  test('lose every session if they are disabled', async () => {
    const { user, token, mobile } = await newUser();
    const setStatus = (status: string) => admin.post(`${theirs}/status`, { id: user.id, status });

    const disabled = await setStatus('disabled');
    const refused = await profile(token);
    const login = await byPassword(mobile);
    const enabled = await setStatus('enabled');

    expect(disabled).toMatchObject({ status: 200, data: { ...user, status: 'disabled' } });
    expect(outcome(refused)).toBe('401 auth.principal_disabled');
    expect(outcome(login)).toBe('401 auth.principal_disabled');
    expect(enabled.data).toEqual(user);
    expect(outcome(await profile(token))).toBe('401 auth.token_revoked');
    expect((await byPassword(mobile)).status).toBe(200);
  });

  test('must exist and have a valid ID', async () => {
    const post = (body: object) => admin.post(`${theirs}/status`, body);

    const answers = [
      await asAdmin(`detail?id=${unknownId}`),
      await post({ id: unknownId, status: 'disabled' }),
      await asAdmin('detail?id=1'),
      await post({ id: unknownId, status: 'gone' }),
    ];

    const [missing, invalid] = ['404 user.not_found', '422 request.invalid'];
    expect(answers.map(outcome)).toEqual([missing, missing, invalid, invalid]);
  });

  test('are not visible to users or guests', async () => {
    const { token, user } = await newUserBySms();

    const answers = [
      await client.get(`${theirs}/list`, { token }),
      await client.get(`${theirs}/detail?id=${user.id}`, { token }),
      await client.post(`${theirs}/status`, { id: user.id, status: 'disabled' }, { token }),
      await client.get(`${theirs}/list`),
      await profile(admin.token),
    ];

    expect(answers.map(outcome)).toEqual([
      ...Array(3).fill('401 auth.principal_mismatch'),
      '401 auth.token_missing',
      '401 auth.principal_mismatch',
    ]);
  });
});
