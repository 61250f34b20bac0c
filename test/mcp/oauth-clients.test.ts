import '../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { publishClient, trustsPublishedClients } from './oauth/client-document.ts';
import { createOperator, siteOf } from './oauth/operator.ts';
import { Provider } from './oauth/provider.ts';
import { copyProjectWithTools } from './test-module.ts';

// The official clients, from the bare URL to a tool call.

const redirectUrl = 'http://127.0.0.1:33418/callback';
const published = useRunning(() => publishClient('Test client', ['http://127.0.0.1/callback']));
const { root } = copyProjectWithTools();
const { server, admin } = useServer({ root, environment: trustsPublishedClients });
const operator = createOperator(server, admin);
const url = () => new URL('/mcp/service', siteOf(server));

/** A connection to be made by an official client. */
interface Session {
  client: NewClient | OldClient;
  connect(): Promise<void>;
  finish(given: URLSearchParams): Promise<void>;
}

const info = { name: 'test', version: '1.0.0' };

function createNew(mode: 'legacy' | { pin: string }, authProvider: Provider): Session {
  const client = new NewClient(info, { versionNegotiation: { mode } });
  const transport = new NewTransport(url(), { authProvider });
  return {
    client,
    connect: () => client.connect(transport),
    finish: (given: URLSearchParams) => transport.finishAuth(given),
  };
}

function createOld(authProvider: Provider): Session {
  const client = new OldClient(info);
  const transport = new OldTransport(url(), { authProvider });
  return {
    client,
    connect: () => client.connect(transport),
    finish: (given: URLSearchParams) => transport.finishAuth(given.get('code') ?? ''),
  };
}

const eras = [
  ['2026-07-28', (provider: Provider) => createNew({ pin: '2026-07-28' }, provider)],
  ['2025-11-25 by the new client', (provider: Provider) => createNew('legacy', provider)],
  ['2025-11-25 by the old client', (provider: Provider) => createOld(provider)],
] as const;

/** Connects as a program does that knows only the URL. */
async function connect(create: (provider: Provider) => Session, narrow?: string): Promise<Provider> {
  const provider = new Provider(redirectUrl, { metadataUrl: published.url });
  const first = create(provider);
  await expect(first.connect()).rejects.toThrow();
  const back = await operator.approve(String(provider.opened), narrow);
  expect(back.href).toContain(`${redirectUrl}?`);
  await first.finish(back.searchParams);
  return provider;
}

describe.each(eras)('a client of the revision %s', (_name, create) => {
  test('goes from the bare URL to a tool call', async () => {
    const provider = await connect(create);

    const { client, connect: connectAgain } = create(provider);
    await connectAgain();
    const result = await client.callTool({ name: 'system__user_count', arguments: {} });

    expect(result).toMatchObject({ structuredContent: { total: expect.any(Number) } });
    expect(provider.opened?.searchParams.get('resource')).toBe(url().href);
    expect(provider.stored).toMatchObject({
      token_type: expect.stringMatching(/^bearer$/i),
      expires_in: 3600,
      refresh_token: expect.any(String),
    });
    await client.close();
  });

  test('renews its access without the operator', async () => {
    const provider = await connect(create);
    const before = provider.stored;
    if (before) provider.stored = { ...before, access_token: 'nonsense' };
    provider.opened = undefined;

    const { client, connect: connectAgain } = create(provider);
    await connectAgain();

    expect((await client.listTools()).tools).not.toEqual([]);
    expect(provider.opened).toBeUndefined();
    expect(provider.stored?.refresh_token).not.toBe(before?.refresh_token);
    await client.close();
  });

  test('learns that the operator has declined', async () => {
    const provider = new Provider(redirectUrl, { metadataUrl: published.url });
    await expect(create(provider).connect()).rejects.toThrow();

    const back = await operator.decline(String(provider.opened));

    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      state: 'a state & more',
      iss: url().origin,
    });
  });
});

describe.each(eras.slice(0, 2))('a client of the revision %s', (_name, create) => {
  test('asks the operator for more rights if a tool needs them', async () => {
    const provider = await connect(create, 'mcp:read');
    const { client, connect: connectAgain, finish } = create(provider);
    await connectAgain();
    provider.opened = undefined;

    await expect(client.callTool({ name: 'test.write', arguments: {} })).rejects.toThrow();
    const asked = provider.opened ?? new URL('none:');
    const back = await operator.approve(asked);
    await finish(back.searchParams);

    expect(asked.searchParams.get('scope')).toContain('mcp:write');
    await expect(client.callTool({ name: 'test.write', arguments: {} })).resolves.toMatchObject({
      content: [{ text: expect.stringContaining('written') }],
    });
    await client.close();
  });
});

test('the old client renews its tokens instead of asking for more rights, and gives up', async () => {
  const provider = await connect(createOld, 'mcp:read');
  const { client, connect: connectAgain } = createOld(provider);
  await connectAgain();
  const before = provider.stored;

  const refused = client.callTool({ name: 'test.write', arguments: {} });

  await expect(refused).rejects.toMatchObject({ code: 403, message: expect.stringContaining('upscoping') });
  expect(provider.stored?.refresh_token).not.toBe(before?.refresh_token);
  await client.close();
});
