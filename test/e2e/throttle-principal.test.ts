import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { createPhones, newMobile, password, readLogin } from './user-fixture.ts';

let server: LocalServer;
let client: Client;
let phones: ReturnType<typeof createPhones>;

beforeAll(async () => {
  server = await startLocalServer({ environment: { THROTTLE_FACTOR: '1' } });
  client = createClient(server.url);
  phones = createPhones(server, client);
});
afterAll(() => server?.stop());

const register = async (mobile = newMobile()) => ({ mobile, ...readLogin(await phones.register(mobile)) });
const logInAgain = async (mobile: string) =>
  readLogin(await phones.logIn({ scene: 'password', mobile, password })).token;

/** Adds an administrator who is logged in. */
async function logInAnew(account: string): Promise<string> {
  const token = await client.login();
  await client.post('/adminapi/system/admin/add', { account, name: account, password }, { token });
  const { data } = await client.post('/adminapi/system/login/account', { account, password });
  return String(Object(data).token);
}

async function repeat(times: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 0; n < times; n += 1) answers.push(await ask());
  return answers;
}
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const limitOf = ({ headers }: Answer) => headers.get('ratelimit-limit');
const remainingOf = ({ headers }: Answer) => headers.get('ratelimit-remaining');

describe('throttle:password', () => {
  test('counts guesses of the password for a new API token, and the right one too', async () => {
    const token = await logInAnew('guesser');
    const add = (given: string) => {
      const body = { name: 'x', scope: 'mcp:read', days: 1, password: given };
      return client.post('/adminapi/system/admin/token/add', body, { token });
    };

    const guesses = await repeat(5, () => add('a wrong guess'));

    expect(statuses(guesses)).toEqual(Array(5).fill(422));
    expect(await add(password)).toMatchObject({ status: 429, code: 'throttle.exceeded' });
  });

  const change = (token: string, old_password = 'a wrong guess') =>
    client.post(
      '/api/user-center/password/change',
      { old_password, password: 'another password' },
      { token },
    );
  const bind = (token: string) =>
    client.post('/api/user-center/mobile/bind', { mobile: newMobile(), code: '000000' }, { token });
  const setOwn = (id: string, token: string) =>
    client.post(
      '/adminapi/system/admin/password',
      { id, password, old_password: 'a wrong guess' },
      { token },
    );

  test('refuses the sixth guess of a user in a minute, by any session and on both routes', async () => {
    const { mobile, token } = await register();
    const other = await register();
    const second = await logInAgain(mobile);

    const guesses = [...(await repeat(3, () => change(token))), ...(await repeat(2, () => bind(second)))];
    const refused = [await change(token), await change(token, password), await bind(second)];

    expect(statuses(guesses)).toEqual([422, 422, 422, 401, 401]);
    expect(guesses.map(remainingOf)).toEqual(['4', '3', '2', '1', '0']);
    for (const answer of refused) expect(answer).toMatchObject({ status: 429, code: 'throttle.exceeded' });
    expect(statuses([await change(other.token)])).toEqual([422]);
  });

  test('refuses the sixth guess of an administrator', async () => {
    const token = await client.login();
    const { data } = await client.get('/adminapi/system/admin/info', { token });
    const { id } = Object(data);

    const answers = await repeat(6, () => setOwn(id, token));

    expect(statuses(answers)).toEqual([422, 422, 422, 422, 422, 429]);
  });

  test('counts requests without a valid token by their address', async () => {
    const answers = await repeat(6, () => change('v1.a.b.c'));

    expect(statuses(answers)).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

describe('throttle:upload', () => {
  const upload = (token?: string, path = '/api') =>
    client.post(`${path}/system/upload/direct`, { type: 'image', name: 'a.png', size: 10 }, { token });

  test('counts a token by its address once its session is over, or if it is of the other kind', async () => {
    const ended = await register();
    await client.get('/api/system/login/logout', { token: ended.token });
    const revoked = await register();
    const admin = await client.login();
    await client.post(
      '/api/user-center/password/change',
      { old_password: password, password: 'another password' },
      { token: await logInAgain(revoked.mobile) },
    );
    const disabled = await register();
    const status = { id: disabled.user.id, status: 'disabled' };
    await client.post('/adminapi/user-center/user/status', status, { token: admin });

    const tokens = [ended.token, revoked.token, disabled.token, admin, 'v1.a.b.c', undefined];
    const answers: Answer[] = [];
    for (const token of tokens) answers.push(await upload(token));
    const asAdmin = await upload(ended.token, '/adminapi');
    const rest = await repeat(4, () => upload(ended.token));

    // Guests get no ticket.
    expect(statuses(answers)).toEqual([403, 403, 403, 403, 403, 403]);
    expect([...answers, asAdmin].map(limitOf)).toEqual(Array(7).fill('10'));
    expect([...answers, asAdmin].map(remainingOf)).toEqual(['9', '8', '7', '6', '5', '4', '3']);
    expect(asAdmin).toMatchObject({ status: 401, code: 'auth.principal_mismatch' });
    expect(statuses(rest)).toEqual([403, 403, 403, 429]);
  });

  test('does not count a revoked token for its principal', async () => {
    const { mobile, token: ended } = await register();
    await client.get('/api/system/login/logout', { token: ended });
    await repeat(3, () => upload(ended));

    const answer = await upload(await logInAgain(mobile));

    expect([answer.status, limitOf(answer), remainingOf(answer)]).toEqual([200, '60', '59']);
  });
});

describe('throttle:mcp', () => {
  const listTools = (token?: string) =>
    fetch(`${server.url}/mcp/service`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });

  test('counts refused tokens only, and refuses no valid one', async () => {
    // The guesses of other tests count for their administrator.
    const session = await logInAnew('holder');
    const body = { name: 'laptop', scope: 'mcp:read', days: 1, password };
    const { data } = await client.post('/adminapi/system/admin/token/add', body, { token: session });
    const token = String(Object(data).token);
    const revoked = Object(
      (await client.post('/adminapi/system/admin/token/add', body, { token: session })).data,
    );
    await client.post('/adminapi/system/admin/token/revoke', { id: revoked.id }, { token: session });
    const invented = `${token.slice(0, -64)}${'A'.repeat(64)}`;

    const ask = async (times: number, sent?: string) => {
      const seen: number[] = [];
      for (let n = 0; n < times; n += 1) seen.push((await listTools(sent)).status);
      return new Set(seen);
    };
    const uncounted = [await ask(31, token), await ask(31)];
    const refused = [await ask(28, invented), await ask(1, revoked.token), await ask(1, 'v1.a.b.c')];
    const last = await listTools(invented);

    expect(uncounted).toEqual([new Set([200]), new Set([401])]);
    expect(refused).toEqual(Array(3).fill(new Set([401])));
    expect([last.status, last.headers.get('ratelimit-limit')]).toEqual([429, '30']);
    expect(await last.json()).toMatchObject({ code: 'throttle.exceeded', data: null });
    expect([await ask(1, revoked.token), await ask(1, token), await ask(1)]).toEqual([
      new Set([429]),
      new Set([200]),
      new Set([401]),
    ]);
  });
});
