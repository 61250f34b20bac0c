import { beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { type Client, createClient } from '../support/client.ts';
import { administrator, type RunningServer, shareLocalServer } from '../support/local-server.ts';

const base = '/adminapi/system/admin';
const loginPath = '/adminapi/system/login/account';

let server: RunningServer;
let client: Client;
let token: string;

beforeAll(async () => {
  server = await shareLocalServer();
  client = createClient(server.url);
  token = await client.login();
});

const post = (path: string, body: unknown) => client.post(path, body, { token });
const info = (as: string) => client.get(`${base}/info`, { token: as });

async function addAdmin(account: string, password = 'password-1'): Promise<{ id: string; token: string }> {
  const added = await post(`${base}/add`, { account, name: account, password });
  const { id } = z.parse(z.object({ id: z.string() }), added.data);
  return { id, token: await login(account, password) };
}

async function login(account: string, password: string): Promise<string> {
  const answer = await client.post(loginPath, { account, password });
  return z.parse(z.object({ token: z.string() }), answer.data).token;
}

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
    expect({ ...wrong, text: '', headers: '' }).toEqual({ ...unknown, text: '', headers: '' });
  });

  test('names every field that is missing', async () => {
    const answer = await client.post(loginPath, '');

    expect(answer).toMatchObject({
      status: 422,
      errors: [{ path: 'body.account' }, { path: 'body.password' }],
    });
  });

  test('ends by logging out', async () => {
    const mine = await login(administrator.account, administrator.password);
    expect((await info(mine)).status).toBe(200);

    await client.post('/adminapi/system/login/logout', {}, { token: mine });

    expect(await info(mine)).toMatchObject({ status: 401, code: 'auth.token_revoked' });
    expect((await info(token)).status).toBe(200);
  });
});

describe('a token', () => {
  test('is required, and is read from the header only', async () => {
    const missing = await client.get(`${base}/info`);
    const inQuery = await client.get(`${base}/info?token=${token}&access_token=${token}`);

    expect(missing).toMatchObject({ status: 401, code: 'auth.token_missing' });
    expect(missing.headers.get('www-authenticate')).toBe('Bearer');
    expect(inQuery.code).toBe('auth.token_missing');
  });
});

describe('administrators', () => {
  test('are added, listed newest first, found by prefix and read', async () => {
    const ann = await addAdmin('ann.one');
    const amy = await addAdmin('ann.two');

    const first = await client.get(`${base}/list?limit=1`, { token });
    const { next_cursor } = z.parse(z.object({ next_cursor: z.string() }), first.data);
    const second = await client.get(`${base}/list?limit=1&cursor=${next_cursor}`, { token });
    const byPrefix = await client.get(`${base}/list?account=ann.`, { token });
    const detail = await client.get(`${base}/detail?id=${ann.id}`, { token });

    expect(first.data).toMatchObject({ list: [{ id: amy.id }] });
    expect(second.data).toMatchObject({ list: [{ id: ann.id }] });
    expect(byPrefix.data).toMatchObject({
      list: [{ account: 'ann.one' }, { account: 'ann.two' }],
      next_cursor: null,
    });
    expect(detail.data).toMatchObject({ id: ann.id, status: 'enabled' });
  });

  test('have an avatar that is stored as a path of this site and answered as a URL', async () => {
    const { id } = await addAdmin('pictured');
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
    await addAdmin('taken');

    const again = await post(`${base}/add`, { account: 'taken', name: 'x', password: 'password-1' });
    const bad = await post(`${base}/add`, { account: 'Bad!', name: '', password: 'short' });

    expect(again).toMatchObject({ status: 409, code: 'admin.account_exists' });
    expect(bad.errors.map(({ path }) => path)).toEqual(['body.account', 'body.name', 'body.password']);
  });

  test('lose every session when they are disabled, and get none while they are', async () => {
    const { id, token: theirs } = await addAdmin('disabled');
    expect((await info(theirs)).status).toBe(200);

    await post(`${base}/edit`, { id, status: 'disabled' });
    const refused = await info(theirs);
    const login = await client.post(loginPath, { account: 'disabled', password: 'password-1' });
    await post(`${base}/edit`, { id, status: 'enabled' });
    const stillRevoked = await info(theirs);

    expect(refused).toMatchObject({ status: 401, code: 'auth.principal_disabled' });
    expect(login).toMatchObject({ status: 401, code: 'auth.principal_disabled' });
    expect(stillRevoked).toMatchObject({ status: 401, code: 'auth.token_revoked' });
  });

  test('lose every session with a new password, and need the old one for their own', async () => {
    const { id, token: theirs } = await addAdmin('changing');
    const change = (body: Record<string, string>) =>
      client.post(`${base}/password`, { id, password: 'password-2', ...body }, { token: theirs });

    const without = await change({});
    const wrong = await change({ old_password: 'password-9' });
    const right = await change({ old_password: 'password-1' });

    for (const answer of [without, wrong]) {
      expect(answer).toMatchObject({ status: 422, errors: [{ path: 'body.old_password' }] });
    }
    expect(right.status).toBe(200);
    expect(await info(theirs)).toMatchObject({ status: 401, code: 'auth.token_revoked' });
    expect((await info(await login('changing', 'password-2'))).status).toBe(200);
  });

  test('are deleted with their sessions, and free their account', async () => {
    const { id, token: theirs } = await addAdmin('leaving');

    const deleted = await post(`${base}/delete`, { id });
    const again = await post(`${base}/delete`, { id });

    expect(deleted).toMatchObject({ status: 200, data: null });
    expect(again).toMatchObject({ status: 404, code: 'admin.not_found' });
    expect(await info(theirs)).toMatchObject({ status: 401, code: 'auth.principal_disabled' });
    expect((await addAdmin('leaving')).id).not.toBe(id);
  });

  test('neither delete nor disable themselves', async () => {
    const { id } = z.parse(z.object({ id: z.string() }), (await info(token)).data);

    const deleted = await post(`${base}/delete`, { id });
    const disabled = await post(`${base}/edit`, { id, status: 'disabled' });

    for (const answer of [deleted, disabled]) {
      expect(answer).toMatchObject({ status: 409, code: 'admin.self' });
    }
  });
});
