import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { outcome, paths as pathsOf } from '../support/answers.ts';
import { isShippedTool } from '../support/shipped-modules.ts';
import { useServer } from '../support/use-server.ts';
import { wordsOf } from '../support/words.ts';
import { createDesk } from './article-fixture.ts';
import { sendRpc } from './rpc-client.ts';
import { createPhones, newMobile } from './user-fixture.ts';

const base = '/adminapi/system/ai/mcp';
const reading = wordsOf(`
  article.get article.list system.ai_settings system.ai_usage_stats system.audit_log system.dict_items
  system.dict_types system.find_files system.latest_articles system.overview system.settings
  system.user_count user-center.find_users
`);
const writing = ['article.add', 'article.edit', 'article.set_status', 'system.add_dict_item'];

const { server, client, admin } = useServer();
const call = (body: unknown, language = 'en') =>
  admin.post(`${base}/call`, body, { headers: { 'x-language': language } });
const rpc = (body: unknown, headers: Record<string, string> = {}) =>
  sendRpc(server.url, body, { authorization: `Bearer ${admin.token}`, ...headers });

const toolList = z.object({ tools: z.array(z.looseObject({ name: z.string() })) });

describe('GET tools', () => {
  test('lists the tools of the shipped modules, each for the assistant too', async () => {
    const answer = await admin.get(`${base}/tools`);

    const { tools: all } = z.parse(toolList, answer.data);
    const tools = all.filter(({ name }) => isShippedTool(name));
    const namesWith = (access: string) =>
      tools.filter((tool) => tool.access === access && tool.chat).map(({ name }) => name);
    expect([namesWith('read'), namesWith('write')]).toEqual([reading, writing]);
    expect(tools).toHaveLength(reading.length + writing.length);
    expect(tools.find(({ name }) => name === 'system.latest_articles')).toMatchObject({
      description: expect.stringMatching(/latest/),
      input_schema: {
        type: 'object',
        properties: {
          limit: { type: 'integer', minimum: 1, maximum: 20, default: 5, description: expect.any(String) },
        },
        additionalProperties: false,
      },
    });
  });
});

const byTerminal = { mini_program: 0, official_account: 0, h5: 0 };
const usage = { total: { calls: 0 } };

describe('POST call', () => {
  test.each([
    ['system.user_count', { total: 0, today: 0, last_7_days: 0, by_terminal: byTerminal }],
    ['system.latest_articles', { articles: [] }],
    ['system.ai_settings', { enabled: false, configured: false, model: '', base_url: '', max_steps: 5 }],
    ['system.overview', { users: 0, admins: 1, articles: 0, ai: { enabled: false }, ai_usage: usage }],
  ])('of %s answers its result', async (name, result) => {
    const answer = await call({ name });

    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ name, result, duration_ms: expect.any(Number) });
  });

  test.each([
    [{}, 7],
    [{ arguments: {} }, 7],
    [{ arguments: { days: 90 } }, 90],
  ])('of system.ai_usage_stats with %j answers %i days, zeros included', async (given, count) => {
    const answer = await call({ name: 'system.ai_usage_stats', ...given });

    const zeros = { calls: 0, input_tokens: 0, output_tokens: 0 };
    const { result } = answer.data;
    expect(result).toMatchObject({ total: zeros });
    expect(result.days).toHaveLength(count);
    expect(result.days.at(-1)).toEqual({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...zeros });
  });

  test.each([
    ['en', 'The MCP tool system.nothing is not registered'],
    ['zh-CN', 'MCP 工具 system.nothing 未注册'],
  ])('of an unknown name is refused in %s', async (language, message) => {
    const answer = await call({ name: 'system.nothing' }, language);

    expect(answer).toMatchObject({ status: 404, code: 'tool.not_registered', message });
  });

  test.each([
    [{ limit: 0 }, ['body.arguments.limit']],
    [{ limit: '5', more: 1 }, ['body.arguments.limit', 'body.arguments.more']],
    [[], ['body.arguments']],
    [null, ['body.arguments']],
    ['{}', ['body.arguments']],
  ])('with the arguments %j is refused with every path', async (given, paths) => {
    const answer = await call({ name: 'system.latest_articles', arguments: given });

    expect([outcome(answer), pathsOf(answer)]).toEqual(['422 tool.arguments_invalid', paths]);
  });

  test.each([
    [{}, ['body.name']],
    [{ name: 5 }, ['body.name']],
    [{ name: 'system.overview', argument: {} }, ['body.argument']],
  ])('with the body %j is refused before a tool runs', async (body, paths) => {
    const answer = await call(body);

    expect([outcome(answer), pathsOf(answer)]).toEqual(['422 request.invalid', paths]);
  });

  test.each(['', 'x'.repeat(5000)])('with the odd name %j is refused as unknown', async (name) => {
    const answer = await call({ name, arguments: {} });

    expect(answer).toMatchObject({ status: 404, code: 'tool.not_registered' });
    expect(answer.message).toContain(name.slice(0, 100));
    expect(answer.message.length).toBeLessThan(200);
  });

  test('leaves one line in the log, without the arguments', async () => {
    await call({ name: 'system.latest_articles', arguments: { limit: 13 } });

    const line = /^\{.*"event":"tool".*"tool":"system\.latest_articles".*"outcome":"ok".*\}$/m;
    const printed = await server.prints(line);
    const [text = ''] = line.exec(printed) ?? [];
    expect(JSON.parse(text)).toMatchObject({ channel: 'call', access: 'read', admin: expect.any(String) });
    expect(text).not.toContain('limit');
  });
});

describe('the built-in tools', () => {
  const resultOf = async (name: string, given = {}) => (await call({ name, arguments: given })).data.result;

  test('count new users and list new articles', async () => {
    const desk = createDesk(admin);
    await desk.addCategory('news');
    const first = await desk.add({ title: 'First', status: 'enabled' });
    const second = await desk.add({ title: 'Second', status: 'enabled' });
    await desk.add({ title: 'Hidden', status: 'disabled' });
    await createPhones(server, client).register(newMobile());

    const articles = [second, first].map(({ id, title, category, published_at }) => ({
      ...{ id, title, category, published_at },
    }));
    expect(await resultOf('system.latest_articles')).toEqual({ articles });
    expect(await resultOf('system.latest_articles', { limit: 1 })).toEqual({
      articles: articles.slice(0, 1),
    });
    expect(await resultOf('system.user_count')).toEqual({
      total: 1,
      today: 1,
      last_7_days: 1,
      by_terminal: { ...byTerminal, h5: 1 },
    });
    expect(await resultOf('system.overview')).toMatchObject({ users: 1, admins: 1, articles: 3 });
  });

  test('describe the settings of the assistant without secrets', async () => {
    const values = {
      enabled: true,
      base_url: 'http://127.0.0.1:9/v1?key=secret#secret',
      api_key: 'secret',
      model: 'small',
      system_prompt: 'secret',
    };
    const saved = await admin.post('/adminapi/system/setting/config/save', { group: 'ai', values });
    expect(saved).toMatchObject({ status: 200 });

    const base_url = 'http://127.0.0.1:9/v1';
    const expected = { enabled: true, configured: true, model: 'small', base_url, max_steps: 5 };
    expect(await resultOf('system.ai_settings')).toEqual(expected);
    expect(await resultOf('system.overview')).toMatchObject({ ai: expected });
  });
});

describe('every tool endpoint', () => {
  test('refuses callers who are not administrators, in the envelope', async () => {
    const call = { name: 'system.overview' };
    const answers = [await client.get(`${base}/tools`), await client.post(`${base}/call`, call)];
    const byRpc = await sendRpc(server.url, { jsonrpc: '2.0', method: 'tools/list', id: 1 }, {});

    for (const answer of answers) expect(answer).toMatchObject({ status: 401, code: 'auth.token_missing' });
    expect(byRpc).toMatchObject({ status: 401, json: { code: 'auth.token_missing', data: null } });
    expect(byRpc.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('POST rpc', () => {
  test('lists what GET tools lists', async () => {
    const listed = await admin.get(`${base}/tools`);

    const answer = await rpc({ jsonrpc: '2.0', method: 'tools/list', id: 'a' });

    expect(answer).toMatchObject({ status: 200, json: { jsonrpc: '2.0', result: listed.data, id: 'a' } });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-language')).toBe('en');
  });

  test('calls a tool', async () => {
    const params = { name: 'system.latest_articles', arguments: { limit: 1 } };

    const { json } = await rpc({ jsonrpc: '2.0', method: 'tools/call', params, id: 1 });

    expect(json).toMatchObject({ result: { name: params.name, result: { articles: [{}] } }, id: 1 });
  });

  test.each([
    [{ name: 'system.nothing' }, 'tool.not_registered', 'MCP tool system.nothing is not', undefined],
    [
      { name: 'system.latest_articles', arguments: { limit: 21, x: 1 } },
      'tool.arguments_invalid',
      /arguments/,
      ['params.arguments.limit', 'params.arguments.x'],
    ],
    [{}, 'request.invalid', /./, ['params.name']],
    [[], 'request.invalid', /./, ['params']],
    [undefined, 'request.invalid', /./, ['params.name']],
  ])('refuses the params %j of tools/call', async (params, code, message, paths) => {
    const { status, json } = await rpc({ jsonrpc: '2.0', method: 'tools/call', params, id: 1 });

    expect(status).toBe(200);
    expect(json).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringMatching(message),
        data: { code, ...(paths && { errors: paths.map((path) => ({ path })) }) },
      },
      id: 1,
    });
  });

  test('answers 204 to a notification', async () => {
    expect(await rpc({ jsonrpc: '2.0', method: 'tools/list' })).toMatchObject({ status: 204 });
  });

  test.each([
    ['', -32700],
    ['{', -32700],
    ['[]', -32600],
    ['1', -32600],
    ['{"jsonrpc":"2.0","method":1,"id":1}', -32600],
    ['{"jsonrpc":"2.0","method":"tools/run","id":1}', -32601],
  ])('answers %j with the code %i', async (body, code) => {
    expect(await rpc(body)).toMatchObject({ status: 200, json: { error: { code } } });
  });

  test('refuses another content type in the envelope', async () => {
    const answer = await rpc('{}', { 'content-type': 'text/plain' });

    expect(answer).toMatchObject({ status: 415, json: { code: 'request.unsupported_media_type' } });
  });

  test('accepts a body of 256 KiB, and refuses a larger one in the envelope', async () => {
    const start = '{"jsonrpc":"2.0","method":"tools/list","id":"';
    const fill = 'x'.repeat(256 * 1024 - start.length - 2);

    const fitting = await rpc(`${start}${fill}"}`);
    const larger = await rpc(`${start}${fill}x"}`);

    expect(fitting).toMatchObject({ status: 200, json: { result: {}, id: fill } });
    expect(larger).toMatchObject({ status: 413, json: { code: 'request.too_large', data: null } });
  });
});
