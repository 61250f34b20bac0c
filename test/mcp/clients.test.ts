import '../support/environment.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createClient } from '../support/client.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';

let server: LocalServer;
let url: URL;
let token: string;
beforeAll(async () => {
  server = await startLocalServer();
  url = new URL('/mcp/service', server.url);
  token = await createClient(server.url).login();
});
afterAll(() => server?.stop());

const info = { name: 'test', version: '1.0.0' };
const withToken = (value: string) => ({ requestInit: { headers: { authorization: `Bearer ${value}` } } });

/** The official client of the newest revision. */
async function connectNew(mode: 'auto' | 'legacy' | { pin: string }, bearer = token) {
  const client = new NewClient(info, { versionNegotiation: { mode } });
  await client.connect(new NewTransport(url, withToken(bearer)));
  return client;
}

/** The official client of the revisions with a handshake. */
async function connectOld(bearer = token) {
  const client = new OldClient(info);
  await client.connect(new OldTransport(url, withToken(bearer)));
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
    const result = await client.callTool({ name: 'system.user_count', arguments: {} });

    expect(tools.map(({ name }) => name)).toContain('system.user_count');
    expect(result).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('"total"') }],
      structuredContent: { total: expect.any(Number) },
    });
    await client.close();
  });

  test('calls a tool that is made of a route', async () => {
    const client = await connect();

    const { tools } = await client.listTools();
    const listed = await client.callTool({ name: 'article.list', arguments: { limit: 5 } });
    const wrong = await client.callTool({ name: 'article.list', arguments: { limit: 500, page: 1 } });

    expect(tools.find(({ name }) => name === 'article.list')).toMatchObject({
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

    const wrong = await client.callTool({ name: 'system.latest_articles', arguments: { limit: 'x' } });
    const unknown = client.callTool({ name: 'system.nothing', arguments: {} });

    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('arguments.limit') }],
    });
    await expect(unknown).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('system.nothing'),
    });
    await client.close();
  });
});

test('every client is refused without a good token', async () => {
  await expect(connectNew('auto', 'nonsense')).rejects.toThrow(/auth\.token_invalid|HTTP 401/);
  await expect(connectNew('legacy', 'nonsense')).rejects.toThrow(/auth\.token_invalid|HTTP 401/);
  await expect(connectOld('nonsense')).rejects.toThrow(/auth\.token_invalid|HTTP 401/);
});
