import '../support/environment.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod/mini';
import { administrator } from '../support/administrator.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';

const { password } = administrator;
const { server, client: service, admin, saveSettings } = useServer();
const client = useRunning(
  () => connect(admin.token),
  (connected) => connected.close(),
);
let schemas: Map<string, { input: object; output: object | undefined }>;
beforeAll(async () => {
  const { tools } = await client.listTools();
  schemas = new Map(
    tools.map(({ name, inputSchema, outputSchema }) => [name, { input: inputSchema, output: outputSchema }]),
  );
});
const addToken = async (given: object, by = admin) =>
  (await by.post('/adminapi/system/admin/token/add', { name: 't', days: 1, password, ...given })).data.token;

async function connect(bearer: string) {
  const options = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const connected = new Client({ name: 'test', version: '1.0.0' }, options);
  const requestInit = { headers: { authorization: `Bearer ${bearer}`, 'x-language': 'en' } };
  await connected.connect(
    new StreamableHTTPClientTransport(new URL('/mcp/service', server.url), { requestInit }),
  );
  return connected;
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

const record = z.looseObject({ id: z.string(), version: z.number() });

/** Calls a tool; arguments and result fit its schemas. */
async function call(name: string, args: object): Promise<Record<string, unknown>> {
  const { input = {}, output = {} } = schemas.get(name) ?? {};
  expect([name, ajv.validate(input, args), ajv.errors]).toEqual([name, true, null]);
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...args } });
  expect([name, isError, isError && content]).toEqual([name, undefined, undefined]);
  expect([name, ajv.validate(output, structuredContent), ajv.errors]).toEqual([name, true, null]);
  return Object(structuredContent);
}

const fail = async (name: string, args: Record<string, unknown>) => {
  const { content, isError } = await client.callTool({ name, arguments: args });
  expect(isError).toBe(true);
  return JSON.stringify(content);
};

test('all tools have input and output schemas that are valid', () => {
  expect([...schemas].filter(([, { output }]) => !output)).toEqual([]);
  expect(schemas.size).toBeGreaterThan(15);
  for (const { input, output } of schemas.values()) {
    expect(() => ajv.compile(input)).not.toThrow();
    expect(() => ajv.compile(output ?? {})).not.toThrow();
  }
});

describe('an assistant of an editor', () => {
  test('adds a category, then writes, edits, publishes and reads an article', async () => {
    const item = { type_key: 'article_category', value: 'travel', name: 'Travel' };
    await call('system__add_dict_item', item);
    const items = await call('system__dict_items', { type_key: 'article_category', keyword: 'trav' });
    const added = await call('article__add', {
      ...{ title: 'One', category: 'travel', status: 'disabled' },
      ...{ content: '<p>Hello <img src="uploads/a.png"></p>', cover: 'uploads/c.png' },
    });
    const { id, version } = z.parse(record, added);
    const edited = await call('article__edit', { id, version, title: 'Two' });
    const published = await call('article__set_status', { id, status: 'enabled' });
    const listed = await call('article__list', { status: 'enabled', limit: 1 });
    const article = await call('article__get', { id });

    expect(items).toMatchObject({ list: [item], total: 1 });
    expect([added, edited, published]).toMatchObject([
      { title: 'One', status: 'disabled' },
      { title: 'Two' },
      { title: 'Two', status: 'enabled' },
    ]);
    for (const each of [added, edited, published]) {
      expect(Object.keys(each).toSorted()).toEqual(['id', 'status', 'title', 'version']);
    }
    expect(listed).toMatchObject({ list: [{ id, title: 'Two' }], next_cursor: null });
    expect(article).toMatchObject({
      id,
      content_next: null,
      content: expect.stringMatching(/src="http.+\/uploads\/a\.png"/),
    });
    expect(await fail('article__edit', { id, version, title: 'Three' })).toContain('version_conflict');
    expect(await fail('article__get', { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })).toContain('article.not_found');
  });

  test('reads a long article in parts, and publishes it', async () => {
    const content = `<p>${'文章"内容"'.repeat(8000)}</p>`;
    const { id } = z.parse(record, await call('article__add', { title: 'Long', category: 'news', content }));
    const parts: string[] = [];
    let from: number | null = 0;
    while (from !== null) {
      const part = await call('article__get', { id, content_from: from });
      parts.push(String(part.content));
      from = z.parse(z.nullable(z.number()), part.content_next);
    }

    const { data } = await admin.get(`/adminapi/article/article/detail?id=${id}`);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join('')).toBe(data.content);
    expect(await call('article__set_status', { id, status: 'disabled' })).toMatchObject({ title: 'Long' });
  });
});

describe('an assistant of an administrator', () => {
  test.each([
    'system__ai_settings',
    'system__ai_usage_stats',
    'system__latest_articles',
    'system__overview',
    'system__user_count',
  ])('gets a result of %s that fits its schema', async (name) => {
    expect(Object.keys(await call(name, {}))).not.toEqual([]);
  });

  test('finds users, files and dictionaries', async () => {
    expect(await call('user-center__find_users', { limit: 5 })).toEqual({ list: [], next_cursor: null });
    expect(await call('user-center__find_users', { mobile: '13800000000' })).toMatchObject({ list: [] });
    expect(await call('system__find_files', { type: 'image', limit: 5 })).toMatchObject({ list: [] });
    expect(await call('system__find_files', { keyword: 'logo' })).toMatchObject({ list: [] });
    const types = await call('system__dict_types', { enabled: true, page_size: 1 });
    expect(types).toMatchObject({ list: [{ enabled: true }], page_size: 1 });
    expect(await fail('system__find_files', { type: 'image', cid: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })).toContain(
      'arguments.cid',
    );
  });

  test('reads settings without their secrets', async () => {
    const settings = { group: 'ai', values: { api_key: 'sk-hunter2hunter2' } };
    const saved = await admin.post('/adminapi/system/setting/config/save', settings);
    expect(saved.code).toBe('ok');

    const listed = await call('system__settings', { group: 'ai' });

    expect(listed).toMatchObject({
      list: expect.arrayContaining([expect.objectContaining({ key: 'api_key', secret: true })]),
    });
    expect(JSON.stringify(listed)).not.toContain('hunter2');
  });

  test('reads the audit log, in which its own calls are', async () => {
    const action = 'article/article/add';
    const log = await call('system__audit_log', { action, limit: 1 });

    expect(log).toMatchObject({
      list: [{ channel: 'mcp', action, outcome: 'ok', title: 'Add an article', genuine: true }],
    });
    expect(log.next_cursor).toEqual(expect.any(String));
    const next = await call('system__audit_log', { cursor: log.next_cursor, limit: 1, action });
    expect(next).toMatchObject({ list: [{ channel: 'mcp' }] });
  });
});

test('a token sees and runs only the tools of the routes that its grants cover', async () => {
  const grants = ['article/article/list:read', 'system/audit:read', 'tool:read'];
  const limited = await connect(await addToken({ scope: 'mcp:write', grants }));

  const { tools } = await limited.listTools();
  const refused = await limited.callTool({ name: 'article__get', arguments: {} });

  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['article__list', 'system__audit_log', 'system__overview']));
  expect(names.filter((name) => /^article__(get|add)$/.test(name))).toEqual([]);
  expect(refused).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('article/article/detail:read') }],
  });
  await limited.close();
});

test('the list of tools is private to its caller', async () => {
  const list = await client.listTools({}, { cacheMode: 'bypass' });
  expect(list).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
});

describe('an error', () => {
  const missing = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const article = { title: 'One', category: 'news', content: '<p>text</p>' };

  test.each<[string, string, Record<string, unknown>, RegExp]>([
    [
      'names the tool that lists the values of a dictionary',
      'article__add',
      { ...article, category: 'nothing' },
      /^request\.invalid: .*\narguments\.category: .*\narguments\.category: system__dict_items \{"type_key":"article_category"\} lists the values$/,
    ],
    [
      'names the allowed values',
      'article__set_status',
      { id: missing, status: 'on' },
      /^tool\.arguments_invalid: .*\narguments\.status: .*"enabled".*"disabled"/,
    ],
    [
      'names the tool that lists the IDs',
      'article__set_status',
      { id: missing, status: 'enabled' },
      /^article\.not_found: .*\narguments\.id: article__list lists the values$/,
    ],
    [
      'names the tool that lists what an ID refers to',
      'system__add_dict_item',
      { type_key: 'no_such_type', value: 'a', name: 'A' },
      /^dict\.type_not_found: .*\narguments\.type_key: system__dict_types lists the values$/,
    ],
    [
      'refuses a number that is sent as text',
      'article__list',
      { limit: '5' },
      /^tool\.arguments_invalid: .*\narguments\.limit: .*number/,
    ],
    [
      'names the argument that a route refuses later',
      'article__list',
      { cursor: 'nonsense' },
      /^request\.invalid: .*\narguments\.cursor: /,
    ],
  ])('%s', async (_title, name, args, expected) => {
    const { content, isError } = await client.callTool({ name, arguments: args });

    const [first] = z.parse(z.array(z.object({ text: z.string() })), content);
    expect(isError).toBe(true);
    expect(first?.text).toMatch(expected);
  });

  test('does not name a tool that the caller may not use', async () => {
    const grants = ['article/article/status:write'];
    const limited = await connect(await addToken({ scope: 'mcp:write', grants }));

    const { content } = await limited.callTool({
      name: 'article__set_status',
      arguments: { id: missing, status: 'enabled' },
    });

    expect(JSON.stringify(content)).toMatch(/article\.not_found/);
    expect(JSON.stringify(content)).not.toContain('article__list');
    await limited.close();
  });
});

test('a client that names no language gets that of the page where its token was made', async () => {
  const ask = async (language: string | undefined, token: string) => {
    const { json } = await service.ask('/mcp/service', {
      token,
      headers: { accept: 'application/json', ...(language && { 'accept-language': language }) },
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      },
    });
    return json.result;
  };
  await saveSettings('basics', { site_name: 'Corner shop' });
  for (const [language, words] of [
    ['en', /backend of “Corner shop”/],
    ['zh-CN', /“Corner shop”的管理后台/],
  ] as const) {
    const token = await addToken({ scope: 'mcp:read' }, admin.in(language));

    const { serverInfo, instructions } = await ask('*', token);

    expect(serverInfo.title).toBe('Corner shop');
    expect(instructions).toMatch(words);
    expect((await ask('en', token)).instructions).toMatch(/backend of/);
  }
});
