import '../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { useServer } from '../support/use-server.ts';

const { server, admin } = useServer();

const info = { name: 'test', version: '1.0.0' };
const withToken = (value: string) => ({ requestInit: { headers: { authorization: `Bearer ${value}` } } });

/** The official client of the newest revision. */
async function connectNew(mode: 'auto' | 'legacy' | { pin: string }, bearer = admin.token) {
  const client = new NewClient(info, { versionNegotiation: { mode } });
  await client.connect(new NewTransport(new URL('/mcp/service', server.url), withToken(bearer)));
  return client;
}

/** The official client of the revisions with a handshake. */
async function connectOld(bearer = admin.token) {
  const client = new OldClient(info);
  await client.connect(new OldTransport(new URL('/mcp/service', server.url), withToken(bearer)));
  return client;
}

const eras = [
  ['2026-07-28', () => connectNew({ pin: '2026-07-28' })],
  ['2025-11-25 by the new client', () => connectNew('legacy')],
  ['2025-11-25 by the old client', () => connectOld()],
] as const;

describe.each(eras)('a client of the revision %s', (_name, connect) => {
  test('connects, lists the tools and calls one', async () => {
    const client = await connect();

    const { tools } = await client.listTools();
    const result = await client.callTool({ name: 'system__user_count', arguments: {} });

    expect(tools.map(({ name }) => name)).toContain('system__user_count');
    expect(result).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('"total"') }],
      structuredContent: { total: expect.any(Number) },
    });
    await client.close();
  });

  test('lists names that every host takes, in one order, with the own name of each tool', async () => {
    const client = await connect();

    const { tools } = await client.listTools();

    const names = tools.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
    const own = tools.map(({ _meta }) => String(Object(_meta)['administration-backend/name']));
    expect(own.map((name) => name.replace('.', '__'))).toEqual(names);
    expect(own).toEqual(own.toSorted());
    expect(tools.filter(({ title }) => !title)).toEqual([]);
    await client.close();
  });

  test.each(['system.user_count', 'system_user_count'])('calls a tool by %s too', async (name) => {
    const client = await connect();

    const result = await client.callTool({ name, arguments: {} });

    expect(result.structuredContent).toMatchObject({ total: expect.any(Number) });
    await client.close();
  });

  test('calls a tool that is made of a route', async () => {
    const client = await connect();

    const { tools } = await client.listTools();
    const listed = await client.callTool({ name: 'article__list', arguments: { limit: 5 } });
    const wrong = await client.callTool({ name: 'article__list', arguments: { limit: 500, page: 1 } });

    expect(tools.find(({ name }) => name === 'article__list')).toMatchObject({
      title: expect.any(String),
      description: expect.stringMatching(/^List articles\. /),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      inputSchema: {
        properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
        additionalProperties: false,
      },
      outputSchema: { type: 'object', required: ['list', 'next_cursor'] },
    });
    // The clients check it against the schema too.
    expect(listed.structuredContent).toEqual({ list: expect.any(Array), next_cursor: null });
    expect(wrong).toMatchObject({ isError: true });
    expect(JSON.stringify(wrong.content)).toMatch(/arguments\.limit.*arguments\.page/);
    await client.close();
  });

  test('gets an error for wrong arguments and for an unknown name', async () => {
    const client = await connect();

    const wrong = await client.callTool({ name: 'system__latest_articles', arguments: { limit: 'x' } });
    const unknown = client.callTool({ name: 'system__nothing', arguments: {} });

    expect(wrong.isError).toBe(true);
    expect(wrong.content).toMatchObject([{ text: expect.stringContaining('arguments.limit') }]);
    await expect(unknown).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/system__nothing.* module__ability .* module\.ability$/),
    });
    await client.close();
  });
});

describe('a URL with tools', () => {
  const namesAt = async (list: string) => {
    const client = new NewClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const narrowed = new URL(`/mcp/service?tools=${list}`, server.url);
    await client.connect(new NewTransport(narrowed, withToken(admin.token)));
    const { tools } = await client.listTools();
    return { client, names: tools.map(({ name }) => name) };
  };

  test('lists the tools of a module, and runs no other', async () => {
    const { client, names } = await namesAt('article');

    expect(names).toContain('article__list');
    expect(names.filter((name) => !name.startsWith('article__'))).toEqual([]);
    expect((await client.callTool({ name: 'article__list', arguments: {} })).isError).toBeUndefined();
    for (const name of ['system__user_count', 'system.user_count', 'system_user_count']) {
      await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32602 });
    }
    await client.close();
  });

  test.each<[string, string[]]>([
    ['system__user_count', ['system__user_count']],
    ['article.list,%20system_user_count,', ['article__list', 'system__user_count']],
    ['art', []],
    ['*', []],
    [',', []],
  ])('%s lists %j', async (list, expected) => {
    const { client, names } = await namesAt(list);

    expect(names).toEqual(expected);
    await client.close();
  });

  test.each(['', 'a&tools=b'])('is refused for "%s"', async (list) => {
    const answer = await admin.post(`/mcp/service?tools=${list}`, {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });

    expect(answer).toMatchObject({ status: 422, errors: [{ path: 'query.tools' }] });
  });
});

test('every client is refused without a good token', async () => {
  await expect(connectNew('auto', 'nonsense')).rejects.toThrow(/auth\.token_invalid|HTTP 401/);
  await expect(connectNew('legacy', 'nonsense')).rejects.toThrow(/auth\.token_invalid|HTTP 401/);
  await expect(connectOld('nonsense')).rejects.toThrow(/auth\.token_invalid|HTTP 401/);
});
