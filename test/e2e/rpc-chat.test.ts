import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OpenAiDouble, startOpenAi } from '../doubles/openai.ts';
import { useServer } from '../support/use-server.ts';
import { sendRpc } from './rpc-client.ts';

const provider = { key: 'provider-key', model: 'small' };
const perMinute = 20;

let openAi: OpenAiDouble;

const { server, client, admin } = useServer({ environment: { THROTTLE_FACTOR: '1' } });

beforeAll(async () => {
  openAi = await startOpenAi(provider);
});
afterAll(async () => {
  await openAi?.stop();
});

const send = (request: object, bearer = admin.token) =>
  sendRpc(server.url, { jsonrpc: '2.0', id: 1, ...request }, { authorization: `Bearer ${bearer}` });
const chat = (params: unknown, bearer = admin.token) => send({ method: 'ai/chat', params }, bearer);

describe('ai/chat of rpc', () => {
  test('reports why the assistant is not available', async () => {
    expect(await chat({ message: 'Hello' })).toMatchObject({
      status: 200,
      json: { error: { code: -32603, data: { code: 'ai.disabled' } }, id: 1 },
    });
  });

  test('answers as chat does, including tools', async () => {
    const { baseUrl: base_url } = openAi;
    const values = { enabled: true, base_url, api_key: provider.key, model: provider.model };
    await admin.post('/adminapi/system/setting/config/save', { group: 'ai', values });
    openAi.script({ calls: [{ name: 'system__user_count', arguments: {} }] }, { content: 'None yet.' });

    const answer = await chat({ message: 'How many users are there?' });

    expect(answer).toMatchObject({
      status: 200,
      json: {
        result: {
          reply: 'None yet.',
          steps: [{ name: 'system.user_count', result: { total: 0 } }],
          pending: [],
          finish_reason: 'stop',
        },
      },
    });
    expect(answer.headers.get('ratelimit-limit')).toBe(String(perMinute));
    await server.prints(/"event":"tool".*"tool":"system\.user_count".*"channel":"chat"/);
  });

  test('refuses invalid params, with every path', async () => {
    expect(await chat({ message: 1, confirm: [], more: true })).toMatchObject({
      status: 200,
      json: {
        error: {
          code: -32602,
          data: {
            code: 'request.invalid',
            errors: [{ path: 'params.message' }, { path: 'params.confirm' }, { path: 'params.more' }],
          },
        },
      },
    });
  });
});

test('a chat of rpc needs the permission of chat too, and is recorded as one', async () => {
  const post = async (path: string, body: object) => {
    const { data } = await admin.post(`/adminapi/system/${path}`, body);
    return data.id;
  };
  const [account, password] = ['rpc-only', 'correct horse battery'];
  const role = await post('role/add', { name: 'rpc', grants: ['system/ai/mcp/rpc:write'] });
  const id = await post('admin/add', { account, name: account, password });
  await post('admin/roles', { id, role_ids: [role] });
  const own = await client.post('/adminapi/system/login/account', { account, password });
  const bearer = own.data.token;

  const refused = await chat({ message: 'Hello' }, bearer);
  const body = { id: role, version: 1, grants: ['system/ai/mcp:write'] };
  await admin.post('/adminapi/system/role/edit', body);
  openAi.script({ content: 'Hello.' });
  const passed = await chat({ message: 'Hello' }, bearer);
  const wrong = await chat({ message: 1 }, bearer);

  const code = 'auth.permission_denied';
  const errors = [{ path: 'system/ai/mcp/chat:write' }];
  expect(refused).toMatchObject({ status: 200, json: { error: { data: { code, errors } } } });
  expect(passed).toMatchObject({ json: { result: { reply: 'Hello.' } } });
  expect(wrong).toMatchObject({ json: { error: { data: { code: 'request.invalid' } } } });
  const log = `/adminapi/system/audit/list?actor=admin:${id}&action=system/ai`;
  expect((await admin.get(log)).data).toMatchObject({
    list: [
      { action: 'system/ai/mcp/chat', outcome: 'refused', fields: { invalid: ['params.message'] } },
      { action: 'system/ai/mcp/chat', outcome: 'ok', fields: { message: { length: 5 } } },
      { action: 'system/ai/mcp/chat', outcome: 'refused', code },
    ],
  });
});

test('rpc counts chats on the throttle of chat, and nothing else', async () => {
  const second = { account: 'second', name: 'Second', password: 'correct horse battery' };
  const added = await admin.post('/adminapi/system/admin/add', second);
  const { id } = added.data;
  await admin.post('/adminapi/system/admin/roles', { id, role_ids: [], super: true });
  const { account, password } = second;
  const login = await client.post('/adminapi/system/login/account', { account, password });
  const { token: bearer } = login.data;
  const list = () => send({ method: 'tools/list' }, bearer);

  const free = await Promise.all(Array.from({ length: perMinute + 1 }, list));
  const byRpc = [];
  for (let count = 1; count < perMinute; count += 1) byRpc.push(await chat({}, bearer));
  const byRoute = await client.post('/adminapi/system/ai/mcp/chat', {}, { token: bearer });
  const refused = await chat({}, bearer);
  const stillFree = await list();

  expect(new Set(free.map(({ status }) => status))).toEqual(new Set([200]));
  expect(free.some(({ headers }) => headers.has('ratelimit-limit'))).toBe(false);
  expect(new Set(byRpc.map(({ status }) => status))).toEqual(new Set([200]));
  expect(byRoute.headers.get('ratelimit-remaining')).toBe('0');
  expect(refused).toMatchObject({ status: 429, json: { code: 'throttle.exceeded', data: null } });
  expect(refused.headers.has('retry-after')).toBe(true);
  expect(stillFree.status).toBe(200);
});
