import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { useServer } from '../support/use-server.ts';
import { createPhones, newMobile, password } from './user-fixture.ts';

const { server, client, admin, addAdmin } = useServer({ environment: { THROTTLE_FACTOR: '1' } });
const phones = createPhones(server, client);

const register = async (mobile = newMobile()) => ({ mobile, ...(await phones.register(mobile)).data });
const logInAgain = async (mobile: string) =>
  (await phones.logIn({ scene: 'password', mobile, password })).data.token;

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
    const guesser = await addAdmin();
    const add = (given: string) => {
      const body = { name: 'x', scope: 'mcp:read', days: 1, password: given };
      return guesser.client.post('/adminapi/system/admin/token/add', body);
    };

    const guesses = await repeat(5, () => add('a wrong guess'));

    expect(statuses(guesses)).toEqual(Array(5).fill(422));
    expect(await add(guesser.password)).toMatchObject({ status: 429, code: 'throttle.exceeded' });
  });

  const change = (token: string, old_password = 'a wrong guess') =>
    client.as(token).post('/api/user-center/password/change', { old_password, password: 'another password' });
  const bind = (token: string) =>
    client.post('/api/user-center/mobile/bind', { mobile: newMobile(), code: '000000' }, { token });
  const setOwn = (id: string) =>
    admin.post('/adminapi/system/admin/password', { id, password, old_password: 'a wrong guess' });

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
    const { id } = (await admin.get('/adminapi/system/admin/info')).data;

    const answers = await repeat(6, () => setOwn(id));

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

  test('counts an API token with the logins of its administrator', async () => {
    const owner = await addAdmin({ super: true });
    const { token } = (
      await owner.client.post('/adminapi/system/admin/token/add', {
        ...{ name: 'import', scope: 'api:write', days: 1, password: owner.password },
      })
    ).data;

    const answers = [await upload(owner.token, '/adminapi'), await upload(token, '/adminapi')];

    expect(statuses(answers)).toEqual([200, 200]);
    expect(Number(remainingOf(answers[1] as Answer))).toBe(Number(remainingOf(answers[0] as Answer)) - 1);
  });

  test('counts a token by its address once its session is over, or if it is of the other kind', async () => {
    const ended = await register();
    await client.get('/api/system/login/logout', { token: ended.token });
    const revoked = await register();
    await client.post(
      '/api/user-center/password/change',
      { old_password: password, password: 'another password' },
      { token: await logInAgain(revoked.mobile) },
    );
    const disabled = await register();
    const status = { id: disabled.user.id, status: 'disabled' };
    await admin.post('/adminapi/user-center/user/status', status);

    const tokens = [ended.token, revoked.token, disabled.token, admin.token, 'v1.a.b.c', undefined];
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
    client.ask('/mcp/service', {
      token,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });

  test('counts refused tokens only, and refuses no valid one', async () => {
    // The guesses of other tests count for their administrator.
    const holder = await addAdmin();
    const tokens = holder.client.at('/adminapi/system/admin/token');
    const body = { name: 'laptop', scope: 'mcp:read', days: 1, password: holder.password };
    const { token } = (await tokens.post('add', body)).data;
    const revoked = (await tokens.post('add', body)).data;
    await tokens.post('revoke', { id: revoked.id });
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
    expect(last.json).toMatchObject({ code: 'throttle.exceeded', data: null });
    expect([await ask(1, revoked.token), await ask(1, token), await ask(1)]).toEqual([
      new Set([429]),
      new Set([200]),
      new Set([401]),
    ]);
  });
});
