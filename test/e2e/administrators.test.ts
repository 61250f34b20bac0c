import { describe, expect, test } from '@jest/globals';
import { administrator } from '../support/administrator.ts';
import { gist } from '../support/answers.ts';
import { useSharedServer } from '../support/use-server.ts';

const base = '/adminapi/system/admin';
const loginPath = '/adminapi/system/login/account';

const { server, client, admin, addAdmin, logIn } = useSharedServer();

const post = (path: string, body: unknown) => admin.post(path, body);
const info = (as: string) => client.get(`${base}/info`, { token: as });

describe('the login', () => {
  test('gives a token, its end and the administrator', async () => {
    const answer = await client.post(loginPath, administrator);

    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({
      token: expect.stringMatching(/^v1\.[\w-]+\.[\w-]+\.[\w-]+$/),
      admin: { account: administrator.account, last_login_ip: '127.0.0.1' },
    });
    expect(answer.text).not.toContain('hash');
  });

  test('answers the same to an unknown account and a wrong password', async () => {
    const unknown = await client.post(loginPath, { account: 'unknown', password: 'wrong' });
    const wrong = await client.post(loginPath, { account: administrator.account, password: 'wrong' });

    expect(unknown).toMatchObject({ status: 401, code: 'auth.credentials_invalid', data: null });
    expect(gist(wrong)).toEqual(gist(unknown));
  });

  test('names every field that is missing', async () => {
    expect(await client.post(loginPath, '')).toMatchObject({
      status: 422,
      errors: [{ path: 'body.account' }, { path: 'body.password' }],
    });
  });

  test('ends by logging out', async () => {
    const mine = (await logIn(administrator.account, administrator.password)).token;
    expect((await info(mine)).status).toBe(200);

    await client.post('/adminapi/system/login/logout', {}, { token: mine });

    expect(await info(mine)).toMatchObject({ status: 401, code: 'auth.token_revoked' });
    expect((await info(admin.token)).status).toBe(200);
  });
});

describe('a token', () => {
  test('is required, and is read from the header only', async () => {
    const missing = await client.get(`${base}/info`);
    const inQuery = await client.get(`${base}/info?token=${admin.token}&access_token=${admin.token}`);

    expect(missing).toMatchObject({ status: 401, code: 'auth.token_missing' });
    expect(missing.headers.get('www-authenticate')).toBe('Bearer');
    expect(inQuery.code).toBe('auth.token_missing');
  });
});

describe('administrators', () => {
  test('are added, listed newest first, found by prefix and read', async () => {
    const ann = await addAdmin({ account: 'ann.one' });
    const amy = await addAdmin({ account: 'ann.two' });

    const first = await admin.get(`${base}/list?limit=1`);
    const { next_cursor } = first.data;
    const second = await admin.get(`${base}/list?limit=1&cursor=${next_cursor}`);
    const byPrefix = await admin.get(`${base}/list?account=ann.`);
    const detail = await admin.get(`${base}/detail?id=${ann.id}`);

    expect(first.data).toMatchObject({ list: [{ id: amy.id }] });
    expect(second.data).toMatchObject({ list: [{ id: ann.id }] });
    const accounts = [{ account: 'ann.one' }, { account: 'ann.two' }];
    expect(byPrefix.data).toMatchObject({ list: accounts, next_cursor: null });
    expect(detail.data).toMatchObject({ id: ann.id, status: 'enabled' });
  });

  test('have an avatar that is stored as a path of this site and answered as a URL', async () => {
    const { id } = await addAdmin({ account: 'pictured' });
    const site = `http://localhost:${new URL(server.url).port}`;
    const edit = (avatar: string) => post(`${base}/edit`, { id, avatar });
    const path = 'storage/uploads/image/20260101/a.png';

    const own = await edit(`${site}/${path}`);
    const foreign = await edit('https://cdn.example/a.png');
    const relative = await edit(path);

    expect(own.data).toMatchObject({ avatar: `${site}/${path}` });
    expect(foreign.data).toMatchObject({ avatar: 'https://cdn.example/a.png' });
    expect(relative.data).toMatchObject({ avatar: `${site}/${path}` });
  });

  test('have unique accounts', async () => {
    await addAdmin({ account: 'taken' });

    const again = await post(`${base}/add`, { account: 'taken', name: 'x', password: 'password-1' });
    const bad = await post(`${base}/add`, { account: 'Bad!', name: '', password: 'short' });

    expect(again).toMatchObject({ status: 409, code: 'admin.account_exists' });
    expect(bad.errors.map(({ path }) => path)).toEqual(['body.account', 'body.name', 'body.password']);
  });

  test('lose every session when they are disabled, and get none while they are', async () => {
    const { id, token: theirs } = await addAdmin({ account: 'disabled' });
    expect((await info(theirs)).status).toBe(200);

    await post(`${base}/edit`, { id, status: 'disabled' });
    const refused = await info(theirs);
    const login = await client.post(loginPath, { account: 'disabled', password: 'a long password' });
    await post(`${base}/edit`, { id, status: 'enabled' });
    const stillRevoked = await info(theirs);

    expect(refused).toMatchObject({ status: 401, code: 'auth.principal_disabled' });
    expect(login).toMatchObject({ status: 401, code: 'auth.principal_disabled' });
    expect(stillRevoked).toMatchObject({ status: 401, code: 'auth.token_revoked' });
  });

  test('lose every session with a new password, and need the old one for their own', async () => {
    const { id, token: theirs } = await addAdmin({ account: 'changing' });
    const change = (body: Record<string, string>) =>
      client.post(`${base}/password`, { id, password: 'password-2', ...body }, { token: theirs });

    const without = await change({});
    const wrong = await change({ old_password: 'password-9' });
    const right = await change({ old_password: 'a long password' });

    for (const answer of [without, wrong]) {
      expect(answer).toMatchObject({ status: 422, errors: [{ path: 'body.old_password' }] });
    }
    expect(right.status).toBe(200);
    expect(await info(theirs)).toMatchObject({ status: 401, code: 'auth.token_revoked' });
    expect((await info((await logIn('changing', 'password-2')).token)).status).toBe(200);
    const old = await client.post(loginPath, { account: 'changing', password: 'a long password' });
    expect(old.code).toBe('auth.credentials_invalid');
  });

  test('are deleted with their sessions, and free their account', async () => {
    const { id, token: theirs } = await addAdmin({ account: 'leaving' });

    const deleted = await post(`${base}/delete`, { id });
    const again = await post(`${base}/delete`, { id });

    expect(deleted).toMatchObject({ status: 200, data: null });
    expect(again).toMatchObject({ status: 404, code: 'admin.not_found' });
    expect(await info(theirs)).toMatchObject({ status: 401, code: 'auth.principal_disabled' });
    expect((await addAdmin({ account: 'leaving' })).id).not.toBe(id);
  });

  test('neither delete nor disable themselves', async () => {
    const { id } = (await info(admin.token)).data;

    const deleted = await post(`${base}/delete`, { id });
    const disabled = await post(`${base}/edit`, { id, status: 'disabled' });

    for (const answer of [deleted, disabled]) {
      expect(answer).toMatchObject({ status: 409, code: 'admin.self' });
    }
  });
});
