import '../support/environment.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { publishClient, trustsPublishedClients } from './oauth/client-document.ts';
import { createOperator, siteOf } from './oauth/operator.ts';

// A general OAuth library, which is strict about its standards, and knows nothing of MCP but the URL.

const redirectUri = 'http://127.0.0.1:41234/callback';
const local = { [oauth.allowInsecureRequests]: true };
const published = useRunning(() => publishClient('Library', ['http://127.0.0.1/callback']));
const { server, admin } = useServer({ environment: trustsPublishedClients });
const operator = createOperator(server, admin);
let resource: URL;
let client: oauth.Client;

beforeAll(() => {
  client = { client_id: published.url };
  resource = new URL('/mcp/service', siteOf(server));
});

/** Finds the authorisation server of the resource. */
async function discover(): Promise<oauth.AuthorizationServer> {
  const described = await oauth.resourceDiscoveryRequest(resource, local);
  const metadata = await oauth.processResourceDiscoveryResponse(resource, described);
  const issuer = new URL(metadata.authorization_servers?.[0] ?? 'none:');
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...local });
  return oauth.processDiscoveryResponse(issuer, found);
}

/** Asks the operator; answers the tokens. */
async function obtain(as: oauth.AuthorizationServer): Promise<oauth.TokenEndpointResponse> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(as.authorization_endpoint ?? 'none:');
  url.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope: 'mcp:read mcp:write',
      state,
      resource: resource.href,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  );
  const given = oauth.validateAuthResponse(as, client, await operator.approve(url), state);
  const options = { additionalParameters: { resource: resource.href }, ...local };
  const answer = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    given,
    redirectUri,
    verifier,
    options,
  );
  return oauth.processAuthorizationCodeResponse(as, client, answer);
}

async function renew(as: oauth.AuthorizationServer, token = ''): Promise<oauth.TokenEndpointResponse> {
  const options = { additionalParameters: { resource: resource.href }, ...local };
  const answer = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), token, options);
  return oauth.processRefreshTokenResponse(as, client, answer);
}

/** Calls a tool. @throws oauth.WWWAuthenticateChallengeError */
async function callTool(token: string): Promise<unknown> {
  const accept = 'application/json, text/event-stream';
  const headers = new Headers({ 'content-type': 'application/json', accept });
  const params = { name: 'system__user_count', arguments: {} };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const answer = await oauth.protectedResourceRequest(token, 'POST', resource, headers, body, local);
  return answer.json();
}

describe('an OAuth library', () => {
  test('goes from the bare URL to a tool call', async () => {
    const as = await discover();

    const tokens = await obtain(as);

    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'mcp:read mcp:write' });
    expect(await callTool(tokens.access_token)).toMatchObject({
      result: { structuredContent: { total: expect.any(Number) } },
    });
  });

  test('renews its tokens, and the old refresh token ends the connection', async () => {
    const as = await discover();
    const first = await obtain(as);
    const second = await renew(as, first.refresh_token);
    await callTool(second.access_token);

    const reused = { name: 'ResponseBodyError', error: 'invalid_grant' };
    await expect(renew(as, first.refresh_token)).rejects.toMatchObject(reused);
    await expect(callTool(second.access_token)).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });

  test('revokes its tokens', async () => {
    const as = await discover();
    const tokens = await obtain(as);

    const answer = await oauth.revocationRequest(as, client, oauth.None(), tokens.refresh_token ?? '', local);

    await oauth.processRevocationResponse(answer);
    await expect(callTool(tokens.access_token)).rejects.toThrow(oauth.WWWAuthenticateChallengeError);
  });
});
