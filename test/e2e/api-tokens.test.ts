import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { administrator } from '../support/administrator.ts';
import { idsOf, outcome, paths } from '../support/answers.ts';
import { scanTable } from '../support/table.ts';
import { useServer } from '../support/use-server.ts';

const base = '/adminapi/system/admin/token';
const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

const { server, client, admin } = useServer({ environment: { LOG_LEVEL: 'debug' } });

const added = z.strictObject({ id: z.string(), token: z.string(), expires_at: z.iso.datetime() });

const post = (path: string, body: object, token = admin.token) =>
  client.post(`${base}/${path}`, body, { token });
const add = (body: object, token = admin.token, password: unknown = administrator.password) =>
  post('add', { ...body, password }, token);
const list = (query = '', token = admin.token) => client.get(`${base}/list${query}`, { token });

const valid = { name: 'x', scope: 'mcp:read', days: 1 };

async function addToken(name = 'laptop', as = admin.token) {
  return z.parse(added, (await add({ name, scope: 'mcp:read', days: 30 }, as)).data);
}

/** A token of the administrator for programs. */
const addFor = async (scope: string, grants?: string[]) =>
  z.parse(added, (await add({ name: scope, scope, days: 1, ...(grants && { grants }) })).data);

describe('API tokens', () => {
  test('are added, listed newest first in pages, and revoked again and again', async () => {
    const { id } = await addToken('one');
    const { id: newer } = await addToken('two');

    const first = await list('?limit=1');
    const { next_cursor } = first.data;
    const second = await list(`?limit=1&cursor=${next_cursor}`);
    const revoked = [await post('revoke', { id }), await post('revoke', { id })];

    expect([idsOf(first), idsOf(second)]).toEqual([[newer], [id]]);
    expect(first.text).not.toContain('hash');
    for (const answer of revoked) expect(answer).toMatchObject({ status: 200, data: null });
    expect(idsOf(await list())).not.toContain(id);
  });

  test('may carry a part of the rights, which the list shows', async () => {
    const grants = ['tool/system.overview:read', 'tool/system.user_count:read'];
    const given = { name: 'part', scope: 'mcp:write', days: 1 };
    const part = z.parse(added, (await add({ ...given, grants: [...grants, ...grants] })).data);
    const whole = z.parse(added, (await add(given)).data);

    const { list: rows } = (await list()).data;

    expect(rows.find(({ id }: { id: string }) => id === part.id)).toMatchObject({ name: 'part', grants });
    expect(rows.find(({ id }: { id: string }) => id === whole.id)).not.toHaveProperty('grants');
  });

  test.each([
    [{}, ['body.name', 'body.scope', 'body.days']],
    [{ name: ' ', scope: 'mcp:all', days: 0 }, ['body.name', 'body.scope', 'body.days']],
    [{ name: 'x'.repeat(51), scope: 'mcp:read', days: 366 }, ['body.name', 'body.days']],
    [{ name: 'x', scope: 'mcp:read', days: 1.5, extra: 1 }, ['body.days', 'body.extra']],
    [{ ...valid, grants: [] }, ['body.grants']],
    [{ ...valid, grants: ['tool'] }, ['body.grants.0']],
    [{ ...valid, grants: ['tool:read', 'no/such:read', 'tools:write'] }, ['body.grants.1', 'body.grants.2']],
  ])('refuse %j', async (body, expected) => {
    const answer = await add(body);

    expect([outcome(answer), paths(answer)]).toEqual(['422 request.invalid', expected]);
  });

  test('require the login of an administrator', async () => {
    const answers = [
      await client.get(`${base}/list`),
      await client.post(`${base}/add`, {}),
      await client.post(`${base}/revoke`, { id: unknownId }),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 401, code: 'auth.token_missing' });
  });

  test('of MCP are accepted by the MCP service only', async () => {
    const { token } = await addToken();

    const answers = [
      await client.get('/adminapi/system/admin/info', { token }),
      await list('', token),
      await post('add', { name: 'x', scope: 'mcp:write', days: 1 }, token),
      await client.get('/api/system/user/info', { token }),
    ];

    expect(answers.map(outcome)).toEqual(Array(4).fill('403 auth.scope_insufficient'));
  });

  test('of the admin API are not accepted by the MCP service', async () => {
    const { token } = await addFor('api:write');

    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(outcome(await client.post('/mcp/service', body, { token }))).toBe('403 auth.scope_insufficient');
  });

  test('are stored in plain text neither in the table nor in the log', async () => {
    const { id, token } = await addToken();
    await client.get('/adminapi/system/admin/info', { token });
    await list();

    const places = { table: await scanTable(server), log: server.printed() };

    const secret = token.slice(-64);
    for (const text of Object.values(places)) expect(text).not.toContain(secret);
    // The table was really read.
    expect(places.table).toContain(id);
  });
});

describe('an API token of the admin API', () => {
  const dictionary = '/adminapi/system/setting/dict/type';
  const newType = (type: string) => ({ type_key: type, name: type, enabled: true });
  const listEntries = async (query: string) =>
    (await client.get(`/adminapi/system/audit/list?${query}`, { token: admin.token })).data.list;

  test('reads and changes as far as its scope goes, and its calls name it in the audit log', async () => {
    const [reading, changing] = [await addFor('api:read'), await addFor('api:write')];

    const read = await client.get(`${dictionary}/list`, { token: reading.token });
    const refused = await client.post(`${dictionary}/add`, newType('by_reader'), { token: reading.token });
    const changed = await client.post(`${dictionary}/add`, newType('by_writer'), { token: changing.token });

    expect([read.status, changed.status]).toEqual([200, 200]);
    expect(refused).toMatchObject({ status: 403, code: 'auth.scope_insufficient' });
    expect(await listEntries('action=system/setting/dict/type/add&limit=2')).toMatchObject([
      { outcome: 'ok', channel: 'api', actor: { kind: 'token', account: 'root', client: changing.id } },
      { code: 'auth.scope_insufficient', actor: { kind: 'token', account: 'root', client: reading.id } },
    ]);
  });

  test('carries the grants that it was given, also for a super administrator', async () => {
    const grants = ['system/setting/dict/data:write', 'system/setting/dict/type:read'];
    const { token } = await addFor('api:write', grants);

    const answers = [
      await client.get(`${dictionary}/list`, { token }),
      await client.post(`${dictionary}/add`, newType('beyond'), { token }),
      await client.post('/adminapi/system/setting/dict/data/add', {}, { token }),
    ];

    expect(answers.map(outcome)).toEqual(['200 ok', '403 auth.permission_denied', '422 request.invalid']);
  });

  test('gives no rights and changes no login, with all grants too', async () => {
    const { token } = await addFor('api:write');
    const account = { account: 'made_by_token', name: 'Made', password: 'correct horse battery' };
    const settings = { group: 'login', values: { captcha_enabled: false } };

    const answers = [
      await client.post('/adminapi/system/admin/add', account, { token }),
      await client.post('/adminapi/system/role/add', { name: 'Made', grants: [] }, { token }),
      await client.post('/adminapi/system/setting/config/save', settings, { token }),
    ];

    expect(answers.map(outcome)).toEqual(Array(3).fill('403 auth.scope_insufficient'));
  });

  test('makes no token, ends no login, and sees no tokens that its grants do not cover', async () => {
    const { token } = await addFor('api:write');
    const part = await addFor('api:read', ['system/setting/dict/type:read']);

    const answers = [
      await add({ name: 'x', scope: 'api:write', days: 1 }, token),
      await client.get('/adminapi/system/admin/info', { token }),
      await client.post('/adminapi/system/login/logout', {}, { token }),
      await list('', part.token),
    ];

    const refusals = [...Array(3).fill('403 auth.scope_insufficient'), '403 auth.permission_denied'];
    expect(answers.map(outcome)).toEqual(refusals);
  });

  test('with few grants does not list the tokens of its owner, and ends none', async () => {
    const { id } = await addFor('api:read');
    const { token } = await addFor('api:write', ['system/admin/token:write']);

    const answers = [await list('', token), await post('revoke', { id }, token)];

    expect(answers.map(outcome)).toEqual(['403 role.exceeds', '403 auth.scope_insufficient']);
    expect(idsOf(await list('?limit=100'))).toContain(id);
  });

  test('that is forged is refused', async () => {
    const answer = await client.get('/adminapi/system/overview/detail', { token: 'mcp_forged' });

    expect(answer).toMatchObject({ status: 401, code: 'auth.token_invalid' });
  });

  test('ends with its next request if it is revoked', async () => {
    const { id, token } = await addFor('api:read');
    const before = await client.get(`${dictionary}/list`, { token });
    await post('revoke', { id });

    const after = await client.get(`${dictionary}/list`, { token });

    expect(before.status).toBe(200);
    expect(after).toMatchObject({ status: 401, code: 'auth.token_revoked' });
  });
});
