import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { useServer } from '../support/use-server.ts';

const redirectUri = 'http://127.0.0.1/callback';

let clientId: string;

const { server, client, admin } = useServer({ environment: { LOG_LEVEL: 'debug' } });

beforeAll(async () => {
  const body = { name: 'Desk client', redirect_uris: [redirectUri] };
  const added = await admin.post('/adminapi/system/oauth/client/add', body);
  clientId = added.data.id;
});

const tokens = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.literal(3600),
  refresh_token: z.string(),
  scope: z.string(),
});

const askToken = (form: Record<string, string>) =>
  client.ask('/oauth/token', { form: { client_id: clientId, ...form } });

const callMcp = (token?: string, method = 'tools/list', params: object = {}) =>
  client.ask('/mcp/service', {
    token,
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', id: 1, method, params },
  });

const readMetadata = async (url: string) => Object(await (await fetch(url)).json());
const metadataUrl = (challenge: string | null) =>
  /resource_metadata="([^"]+)"/.exec(challenge ?? '')?.[1] ?? '';

describe('OAuth', () => {
  test('leads a client from the bare URL to a tool call, a refresh and a revocation', async () => {
    const refused = await callMcp(undefined);
    const resource = await readMetadata(metadataUrl(refused.headers.get('www-authenticate')));
    const [issuer] = resource.authorization_servers;
    const metadata = await readMetadata(`${issuer}/.well-known/oauth-authorization-server`);
    const verifier = randomBytes(32).toString('base64url');
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'http://127.0.0.1:4711/callback',
      scope: 'mcp:read mcp:write',
      state: 'a state',
      resource: resource.resource,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };

    const sent = await fetch(`${metadata.authorization_endpoint}?${new URLSearchParams(parameters)}`, {
      redirect: 'manual',
    });
    const consent = new URL(sent.headers.get('location') ?? '');
    const asked = await admin.get(`/adminapi/system/oauth/request${consent.search}`);
    const body = { ...Object.fromEntries(consent.searchParams), approved: true };
    const approved = await admin.post('/adminapi/system/oauth/approve', body);
    const { redirect } = approved.data;
    const answer = new URL(redirect).searchParams;
    const exchange = {
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: parameters.redirect_uri,
      code_verifier: verifier,
      resource: resource.resource,
    };
    const exchanged = await askToken(exchange);
    const first = z.parse(tokens, exchanged.json);
    const called = await callMcp(first.access_token, 'tools/call', {
      name: 'system.overview',
      arguments: {},
    });
    const refreshed = await askToken({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    const second = z.parse(tokens, refreshed.json);

    expect([refused.status, resource.resource]).toEqual([
      401,
      `${server.url.replace('127.0.0.1', 'localhost')}/mcp/service`,
    ]);
    expect([sent.status, consent.pathname]).toEqual([302, '/console/oauth/consent']);
    expect(asked.data).toEqual({
      client: { id: clientId, name: 'Desk client', host: null },
      redirect_host: '127.0.0.1:4711',
      is_loopback: true,
      needs_password: false,
      scopes: ['mcp:read', 'mcp:write'],
    });
    expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:4711\/callback\?code=/);
    expect([answer.get('state'), answer.get('iss')]).toEqual(['a state', metadata.issuer]);
    expect(exchanged.status).toBe(200);
    expect(exchanged.headers.get('cache-control')).toBe('no-store');
    expect(called.json).toMatchObject({ result: { structuredContent: expect.anything() } });
    expect((await callMcp(second.access_token)).status).toBe(200);

    const listed = await admin.get('/adminapi/system/admin/token/list');
    expect(listed.data).toMatchObject({ list: [{ kind: 'oauth', name: 'Desk client', client: clientId }] });

    const revoked = await fetch(metadata.revocation_endpoint, {
      method: 'POST',
      body: new URLSearchParams({ token: second.refresh_token, client_id: clientId }),
    });
    expect(revoked.status).toBe(200);
    expect((await callMcp(second.access_token)).status).toBe(401);
  });
});
