import '../support/environment.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { type Client, createClient } from '../support/client.ts';
import { administrator, type LocalServer, startLocalServer } from '../support/local-server.ts';
import { copyProjectWithTools } from './test-module.ts';

let server: LocalServer;
let client: Client;
let login: string;
beforeAll(async () => {
  const { root } = copyProjectWithTools();
  server = await startLocalServer({ root, environment: { CORS_ORIGINS: 'https://console.example.com' } });
  client = createClient(server.url);
  login = await client.login();
});
afterAll(() => server?.stop());

async function newApiToken(scope: 'mcp:read' | 'mcp:write'): Promise<{ id: string; token: string }> {
  const path = '/adminapi/system/admin/token/add';
  const { data } = await client.post(
    path,
    { name: 'test', scope, days: 1, password: administrator.password },
    { token: login },
  );
  return z.parse(z.object({ id: z.string(), token: z.string() }), data);
}

/** Posts to the MCP service without the client of other tests, because the answer has no envelope. */
async function post(body: unknown, token: string | undefined, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/mcp/service`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const callOf = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {} },
});
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const namesOf = ({ body }: { body: { result: { tools: { name: string }[] } } }) =>
  body.result.tools.map(({ name }) => name);

describe('a token', () => {
  test('of a login may do everything', async () => {
    expect(namesOf(await post(list, login))).toContain('test__write');
    expect((await post(callOf('test.write'), login)).body.result.structuredContent).toEqual({
      written: true,
    });
  });

  test('for reading lists and calls only tools that read', async () => {
    const { id, token } = await newApiToken('mcp:read');

    const names = namesOf(await post(list, token));
    const refused = await post(callOf('test.write'), token);
    const marked = await post(`\uFEFF${JSON.stringify(callOf('test.write'))}`, token);

    expect(names).toContain('test__simple_text');
    expect(names).not.toContain('test__write');
    expect((await post(callOf('test.simple_text'), token)).body.result.content[0].text).toBe('text');
    expect([refused.status, refused.body.code]).toEqual([403, 'auth.scope_insufficient']);
    const metadata = '/.well-known/oauth-protected-resource/mcp/service';
    expect(refused.headers.get('www-authenticate')).toMatch(
      new RegExp(
        `^Bearer realm="mcp", error="insufficient_scope", scope="mcp:write", resource_metadata="http[^"]+${metadata}"$`,
      ),
    );
    expect([marked.status, marked.body.code]).toEqual([403, 'auth.scope_insufficient']);
    const { data } = await client.get('/adminapi/system/audit/list?action=tool/test.write&outcome=refused', {
      token: login,
    });
    // The second is only counted.
    expect(data).toMatchObject({
      list: [{ channel: 'mcp', actor: { kind: 'token', client: id }, code: 'auth.scope_insufficient' }],
    });
  });

  test('for writing calls tools that write', async () => {
    const { token } = await newApiToken('mcp:write');

    expect((await post(callOf('test.write'), token)).body.result.structuredContent).toEqual({
      written: true,
    });
  });

  test('that is revoked is refused at once', async () => {
    const { id, token } = await newApiToken('mcp:write');
    expect((await post(list, token)).status).toBe(200);
    await client.post('/adminapi/system/admin/token/revoke', { id }, { token: login });

    const answer = await post(list, token);

    expect([answer.status, answer.body.code]).toEqual([401, 'auth.token_revoked']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  test.each([undefined, 'nonsense', 'v1.x.y.z'])('%p is refused', async (token) => {
    const answer = await post(list, token);

    expect(answer.status).toBe(401);
    expect(answer.body.code).toMatch(/^auth\.token_(missing|invalid)$/);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });
});

describe('a page', () => {
  test('of a foreign origin is refused with any token', async () => {
    const answer = await post(list, login, { origin: 'https://evil.example.com' });

    expect([answer.status, answer.body.code]).toEqual([403, 'auth.origin_denied']);
  });

  test('of a known origin is served', async () => {
    expect((await post(list, login, { origin: 'https://console.example.com' })).status).toBe(200);
  });
});

describe('invalid MCP', () => {
  test.each([
    ['no JSON', 'garbage', 400, -32700],
    ['a method that is not there', { jsonrpc: '2.0', id: 1, method: 'nope' }, 200, -32601],
    [
      'a method of features that are not offered',
      { jsonrpc: '2.0', id: 1, method: 'prompts/list' },
      200,
      -32601,
    ],
  ])('%s gets an error of JSON-RPC', async (_name, body, status, code) => {
    const answer = await post(body, login);

    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  test.each([
    ['an empty object', {}],
    ['a number', 1],
    ['null', 'null'],
    ['nothing', ''],
    ['an empty batch', []],
  ])('%s gets a refusal of the client', async (_name, body) => {
    const { status } = await post(body, login);

    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  test('a batch is refused whole', async () => {
    const { status, body } = await post([callOf('test.simple_text'), list], login);

    expect([status, body.error.code]).toEqual([400, -32600]);
  });

  test('a notification gets no answer', async () => {
    const answer = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, login);

    expect([answer.status, answer.body]).toEqual([202, null]);
  });

  test('another content type and a huge body are refused', async () => {
    expect((await post(list, login, { 'content-type': 'text/plain' })).status).toBe(415);
    const huge = { ...list, params: { x: 'x'.repeat(1_100_000) } };
    expect((await post(huge, login)).status).toBe(413);
  });

  test.each(['GET', 'DELETE'])('%s is not a method of the service', async (method) => {
    const response = await fetch(`${server.url}/mcp/service`, { method });

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

test('a failure of a tool does not reveal its cause', async () => {
  const { body } = await post(callOf('test.error_handling'), login, { 'x-language': 'en' });

  expect(body.result.isError).toBe(true);
  expect(body.result.content[0].text).toContain('tool.failed');
  expect(JSON.stringify(body)).not.toContain('by intent');
});
