import '../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import { administrator } from '../support/administrator.ts';
import { useServer } from '../support/use-server.ts';
import { copyProjectWithTools } from './test-module.ts';

const { root } = copyProjectWithTools();
const { client, admin } = useServer({ root });

const post = (body: unknown, token?: string, headers: Record<string, string> = {}) =>
  client.ask('/mcp/service', { body, token, headers });

const callOf = (name: string) => ({ ...list, method: 'tools/call', params: { name, arguments: {} } });
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const namesOf = ({ json }: { json: { result: { tools: { name: string }[] } } }) =>
  json.result.tools.map(({ name }) => name);

test('a token for reading lists and calls only tools that read', async () => {
  const body = { name: 'test', scope: 'mcp:read', days: 1, password: administrator.password };
  const { id, token } = (await admin.post('/adminapi/system/admin/token/add', body)).data;

  const names = namesOf(await post(list, token));
  const refused = await post(callOf('test.write'), token);
  const marked = await post(`\uFEFF${JSON.stringify(callOf('test.write'))}`, token);

  expect(namesOf(await post(list, admin.token))).toContain('test__write');
  expect(names).toContain('test__simple_text');
  expect(names).not.toContain('test__write');
  expect((await post(callOf('test.simple_text'), token)).json.result.content[0].text).toBe('text');
  expect([refused.status, refused.json.code]).toEqual([403, 'auth.scope_insufficient']);
  const metadata = 'resource_metadata="http[^"]+/.well-known/oauth-protected-resource/mcp/service"';
  expect(refused.headers.get('www-authenticate')).toMatch(
    new RegExp(`^Bearer realm="mcp", error="insufficient_scope", scope="mcp:write", ${metadata}$`),
  );
  expect([marked.status, marked.json.code]).toEqual([403, 'auth.scope_insufficient']);
  const { data } = await admin.get('/adminapi/system/audit/list?action=tool/test.write&outcome=refused');
  // The second is only counted.
  expect(data).toMatchObject({
    list: [{ channel: 'mcp', actor: { kind: 'token', client: id }, code: 'auth.scope_insufficient' }],
  });
});

describe('invalid MCP', () => {
  test.each([
    ['no JSON', 'garbage', 400, -32700],
    ['a method that is not there', { jsonrpc: '2.0', id: 1, method: 'nope' }, 200, -32601],
    ['a method that is not offered', { jsonrpc: '2.0', id: 1, method: 'prompts/list' }, 200, -32601],
  ])('%s gets an error of JSON-RPC', async (_name, body, status, code) => {
    const answer = await post(body, admin.token);

    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  test.each([
    ['an empty object', {}],
    ['a number', 1],
    ['null', 'null'],
    ['nothing', ''],
    ['an empty batch', []],
  ])('%s gets a refusal of the client', async (_name, body) => {
    const { status } = await post(body, admin.token);

    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  test('a batch is refused whole', async () => {
    const { status, json } = await post([callOf('test.simple_text'), list], admin.token);

    expect([status, json.error.code]).toEqual([400, -32600]);
  });

  test('a notification gets no answer', async () => {
    const answer = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, admin.token);

    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  test('another content type and a huge body are refused', async () => {
    expect((await post(list, admin.token, { 'content-type': 'text/plain' })).status).toBe(415);
    const huge = { ...list, params: { x: 'x'.repeat(1_100_000) } };
    expect((await post(huge, admin.token)).status).toBe(413);
  });

  test.each(['GET', 'DELETE'])('%s is not a method of the service', async (method) => {
    const response = await client.ask('/mcp/service', { method });

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
