import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { administrator } from '../support/administrator.ts';
import { idsOf } from '../support/answers.ts';
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

async function addToken(name = 'laptop', as = admin.token) {
  return z.parse(added, (await add({ name, scope: 'mcp:read', days: 30 }, as)).data);
}

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
    expect(revoked).toMatchObject([
      { status: 200, data: null },
      { status: 200, data: null },
    ]);
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
    [{ name: 'x', scope: 'mcp:read', days: 1, grants: [] }, ['body.grants']],
    [{ name: 'x', scope: 'mcp:read', days: 1, grants: ['tool'] }, ['body.grants.0']],
    [
      { name: 'x', scope: 'mcp:read', days: 1, grants: ['tool:read', 'tool/no.such:read', 'tools:write'] },
      ['body.grants.1', 'body.grants.2'],
    ],
  ])('refuse %j', async (body, paths) => {
    const answer = await add(body);

    expect(answer).toMatchObject({ status: 422, code: 'request.invalid' });
    expect(answer.errors.map(({ path }) => path)).toEqual(paths);
  });

  test('require the login of an administrator', async () => {
    const answers = [
      await client.get(`${base}/list`),
      await client.post(`${base}/add`, {}),
      await client.post(`${base}/revoke`, { id: unknownId }),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 401, code: 'auth.token_missing' });
  });

  test('are accepted by the MCP service only', async () => {
    const { token } = await addToken();

    const answers = [
      await client.get('/adminapi/system/admin/info', { token }),
      await list('', token),
      await post('add', { name: 'x', scope: 'mcp:write', days: 1 }, token),
      await client.get('/api/system/user/info', { token }),
    ];

    for (const answer of answers)
      expect(answer).toMatchObject({ status: 403, code: 'auth.scope_insufficient' });
  });

  test('are stored in plain text neither in the table nor in the log', async () => {
    const { id, token } = await addToken();
    await client.get('/adminapi/system/admin/info', { token });
    await list();

    const places = { table: await scanTable(server), log: server.printed() };

    const secret = token.slice(-64);
    expect(Object.entries(places).flatMap(([place, text]) => (text.includes(secret) ? [place] : []))).toEqual(
      [],
    );
    // The table was really read.
    expect(places.table).toContain(id);
  });
});
