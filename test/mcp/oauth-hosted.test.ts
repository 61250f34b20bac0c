import '../support/environment.ts';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { useServer } from '../support/use-server.ts';
import { type PublishedClient, publishClient, trustsPublishedClients } from './oauth/client-document.ts';
import { createOperator, siteOf } from './oauth/operator.ts';

// What the connectors of hosted assistants send, request by request, with the metadata that they publish.

interface Connector {
  redirectUri: string;
  /** What its metadata document has besides the usual. */
  document: object;
  /** Where it looks for metadata, in order, without the challenge of the 401. */
  lookups: readonly string[];
  /** What it adds to the request to connect. */
  extra: Record<string, string>;
  agents: { discovery: string; calls: string };
}

const path = '/.well-known/oauth-protected-resource/mcp/service';
const root = '/.well-known/oauth-protected-resource';
const issuer = '/.well-known/oauth-authorization-server';
const connectors: Record<string, Connector> = {
  Claude: {
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
    document: { client_uri: 'https://claude.ai', logo_uri: 'https://claude.ai/icon.png' },
    lookups: [path, root, issuer],
    extra: {},
    agents: { discovery: 'python-httpx/0.28.1', calls: 'Claude-User' },
  },
  ChatGPT: {
    redirectUri: 'https://chatgpt.com/connector_platform_oauth_redirect',
    document: {
      client_uri: 'https://chatgpt.com/',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
    lookups: [root, path, issuer],
    extra: { prompt: 'consent' },
    agents: { discovery: 'openai-mcp/1.0.0', calls: 'openai-mcp/1.0.0' },
  },
};

const { server, admin } = useServer({ environment: trustsPublishedClients });
const operator = createOperator(server, admin);
let url: string;
beforeAll(() => {
  url = siteOf(server);
});

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'hosted', version: '1' } },
};

function post(message: object, agent: string, token?: string): Promise<Response> {
  return fetch(`${url}/mcp/service`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': agent,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

const sendForm = (at: string, values: Record<string, string>): Promise<Response> =>
  fetch(at, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(values).toString(),
  });

const tokenAnswer = z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.int() });

/** Authorises and exchanges the code as a connector does. */
async function connect(clientId: string, { redirectUri, extra }: Connector) {
  const resource = `${url}/mcp/service`;
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URL(`${url}/oauth/authorize`);
  asked.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'state of the connector',
    scope: 'mcp:read mcp:write',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
    ...extra,
  }).toString();
  const back = await operator.approve(asked);
  const answer = await sendForm(`${url}/oauth/token`, {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
    resource,
  });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return { back, tokens: z.parse(tokenAnswer, await answer.json()) };
}

describe.each(Object.entries(connectors))('the connector of %s', (name, connector) => {
  let published: PublishedClient;
  beforeAll(async () => {
    published = await publishClient(name, [connector.redirectUri], connector.document);
  });
  afterAll(() => published?.stop());

  test('finds the service from its bare URL', async () => {
    const refused = await post(initialize, connector.agents.discovery);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${url}${path}"`);

    for (const lookup of connector.lookups) {
      const found = await fetch(url + lookup, { headers: { accept: 'application/json' } });
      expect([found.status, found.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^application\/json/),
      ]);
      expect(await found.json()).toMatchObject(
        lookup === issuer
          ? {
              issuer: url,
              client_id_metadata_document_supported: true,
              token_endpoint_auth_methods_supported: ['none'],
              code_challenge_methods_supported: ['S256'],
              authorization_response_iss_parameter_supported: true,
            }
          : { resource: `${url}/mcp/service`, authorization_servers: [url] },
      );
    }
  });

  test('connects by its published metadata and calls a tool', async () => {
    const { back, tokens } = await connect(published.url, connector);

    expect(back.origin + back.pathname).toBe(connector.redirectUri);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      state: 'state of the connector',
      iss: url,
    });
    const started = await post(initialize, connector.agents.calls, tokens.access_token);
    expect(started.status).toBe(200);
    const params = { name: 'system__user_count', arguments: {} };
    const called = await post({ method: 'tools/call', params }, connector.agents.calls, tokens.access_token);
    expect(await called.json()).toMatchObject({
      result: { structuredContent: { total: expect.any(Number) } },
    });
  });

  test('connects as a registered client', async () => {
    const body = { name, redirect_uris: [connector.redirectUri] };
    const { id } = (await admin.post('/adminapi/system/oauth/client/add', body)).data;

    const { tokens } = await connect(id, connector);

    expect((await post(initialize, connector.agents.calls, tokens.access_token)).status).toBe(200);
  });

  test('renews its tokens with the resource and without it', async () => {
    const { tokens } = await connect(published.url, connector);
    const form = { grant_type: 'refresh_token', client_id: published.url };
    const at = `${url}/oauth/token`;

    const withResource = { ...form, resource: `${url}/mcp/service` };
    const first = await sendForm(at, { ...withResource, refresh_token: tokens.refresh_token });
    const { refresh_token } = z.parse(tokenAnswer, await first.json());
    const second = await sendForm(at, { ...form, refresh_token });

    expect([first.status, second.status]).toEqual([200, 200]);
  });

  test('is refused with a redirect URI that it has not published', async () => {
    const asked = new URL(`${url}/oauth/authorize`);
    asked.search = new URLSearchParams({
      response_type: 'code',
      client_id: published.url,
      redirect_uri: `${connector.redirectUri}/`,
    }).toString();

    const { status, headers } = await fetch(asked, { redirect: 'manual' });
    const request = `/adminapi/system/oauth/request${asked.search}`;
    const refused = await admin.get(request);

    // The document is on this machine, so only the consent page reads it.
    expect([status, headers.get('location')]).toEqual([302, `${url}/console/oauth/consent${asked.search}`]);
    expect(refused).toMatchObject({ status: 400, code: 'oauth.invalid_request' });
  });
});
