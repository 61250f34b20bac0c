import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { signedFormat } from '#shared/cache/cache-entry.ts';
import { redis } from '#shared/cache/redis.ts';
import { transact } from '#shared/db/items.ts';
import { removeItem } from '#shared/db/writes.ts';
import { type RunningDouble, serve } from '../doubles/serve.ts';
import { paths } from '../support/answers.ts';
import type { RequestOptions } from '../support/client.ts';
import { authorizeParameters, codeOf, createPkce } from '../support/oauth.ts';
import { recordWork, useFunctions } from '../support/use-functions.ts';
import { useRunning } from '../support/use-running.ts';

const base = '/adminapi/system/oauth';
const redirectUri = 'https://app.example/callback?tenant=1';
const issuer = 'http://localhost:3000';

const { functions, client, admin } = useFunctions();
let clientId: string;
let documentReads = 0;
/** Serves the metadata document of another client. */
const double: RunningDouble = useRunning(() =>
  serve(() => {
    documentReads += 1;
    const client_id = `${double.url}/client.json`;
    return {
      body: { client_id, client_name: 'Foreign', redirect_uris: [redirectUri, 'http://localhost/cb'] },
    };
  }),
);

beforeAll(async () => {
  const added = await admin.post(`${base}/client/add`, { name: 'Desk client', redirect_uris: [redirectUri] });
  clientId = added.data.id;
});

async function ask(path: string, options: RequestOptions) {
  const { headers, json = {}, ...answer } = await client.ask(path, options);
  return { ...answer, headers: Object.fromEntries(headers), json, code: json.code, data: json.data };
}
const get = (path: string, query: Record<string, string> | string = {}, token = '') =>
  ask(`${path}?${new URLSearchParams(query)}`, { token });
const post = (path: string, body: unknown, token = admin.token) => ask(path, { body, token });
const postForm = (path: string, form: Record<string, string> | string, type?: string) =>
  ask(path, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': type ?? 'application/x-www-form-urlencoded' },
  });

function createParameters(change: Record<string, string | undefined> = {}) {
  const { verifier, challenge } = createPkce();
  const all = { ...authorizeParameters(clientId, redirectUri, challenge), ...change };
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) if (value !== undefined) parameters[name] = value;
  return { verifier, parameters };
}

/** Consents, and returns the form that exchanges the code. */
async function approve(change: Record<string, string | undefined> = {}, more: { grants?: string[] } = {}) {
  const { verifier, parameters } = createParameters(change);
  const { data } = await post(`${base}/approve`, { ...parameters, ...more, approved: true });
  return {
    grant_type: 'authorization_code',
    code: codeOf(data.redirect),
    client_id: String(parameters.client_id),
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
}

async function connect(change: Record<string, string | undefined> = {}, more: { grants?: string[] } = {}) {
  const form = await approve(change, more);
  const { json } = await postForm('/oauth/token', form);
  return { form, access: String(json.access_token), refresh: String(json.refresh_token) };
}

const callMcp = (token: string, method: string, params: object = {}) =>
  post('/mcp/service', { jsonrpc: '2.0', id: 1, method, params }, token);

/** Puts a metadata document of another host into the cache. */
async function keepDocument(id: string, redirectUris: string[]): Promise<void> {
  const key = `service:oauth-client:${createHash('sha256').update(id).digest('base64url')}`;
  const value = { name: 'Assistant', redirectUris };
  await redis().set(key, signedFormat.encode(key, { generation: '', value }, 600), { ex: 600 });
}

describe('the metadata', () => {
  test.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp/service'])(
    'of the resource is at %s',
    async (path) => {
      const { status, headers, json } = await get(path);

      expect(status).toBe(200);
      const open = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
      expect(headers).toMatchObject(open);
      expect(json).toEqual({
        resource: `${issuer}/mcp/service`,
        authorization_servers: [issuer],
        scopes_supported: ['mcp:read', 'mcp:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Administration backend',
      });
    },
  );

  test('of the server names what clients need, and no registration', async () => {
    const { headers, json } = await get('/.well-known/oauth-authorization-server');

    expect(headers['access-control-allow-origin']).toBe('*');
    expect(json).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      scopes_supported: ['mcp:read', 'mcp:write'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      ui_locales_supported: ['zh-CN', 'en'],
    });
  });

  test.each([
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/mcp/service',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/',
    '/.well-known/security.txt',
    '/mcp/service/.well-known/openid-configuration',
    '/oauth/register',
    '/register',
  ])('is not at %s, which is a 404 in the envelope', async (path) => {
    const { status, headers, json } = await get(path);

    expect([status, json.code]).toEqual([404, 'route.not_found']);
    expect(headers['content-type']).toContain('application/json');
  });
});

describe('GET /oauth/authorize', () => {
  test('leads to the consent page with the same query', async () => {
    const { parameters } = createParameters({ state: 'ü &=?#%' });

    const { status, headers } = await get('/oauth/authorize', parameters);

    const query = new URLSearchParams(parameters).toString();
    expect([status, headers.location]).toEqual([302, `${issuer}/console/oauth/consent?${query}`]);
    expect(headers['cache-control']).toBe('no-store');
  });

  test.each([
    [{ client_id: undefined }, 'invalid_request'],
    [{ client_id: 'unknown' }, 'invalid_client'],
    // More bytes than a key of the table may have.
    [{ client_id: '中'.repeat(500) }, 'invalid_client'],
    [{ client_id: 'https://10.0.0.1:1/client.json' }, 'invalid_client'],
    [{ client_id: 'http://app.example/client.json' }, 'invalid_client'],
    [{ client_id: 'x'.repeat(501) }, 'invalid_request'],
    [{ redirect_uri: undefined }, 'invalid_request'],
    [{ redirect_uri: 'https://evil.example/' }, 'invalid_request'],
    [{ redirect_uri: `${redirectUri}&more=1` }, 'invalid_request'],
    [{ redirect_uri: 'javascript:alert(1)' }, 'invalid_request'],
  ])('redirects nowhere with %j', async (change, error) => {
    const { status, headers, json } = await get('/oauth/authorize', createParameters(change).parameters);

    expect([status, json.error, headers.location]).toEqual([400, error, undefined]);
    expect(json.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  test('redirects nowhere if a parameter is repeated', async () => {
    const { parameters } = createParameters();
    const query = `${new URLSearchParams(parameters)}&redirect_uri=https%3A%2F%2Fevil.example%2F`;

    const { status, headers, json } = await get('/oauth/authorize', query);

    expect([status, json.error, headers.location]).toEqual([400, 'invalid_request', undefined]);
  });

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ scope: 'admin' }, 'invalid_scope'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
  ])('passes the fault of %j on to the client', async (change, error) => {
    const { status, headers } = await get('/oauth/authorize', createParameters(change).parameters);

    const location = String(headers.location);
    const { searchParams } = new URL(location);
    expect([status, location.startsWith(`${redirectUri}&error=`)]).toEqual([302, true]);
    expect(Object.fromEntries(searchParams)).toEqual({
      tenant: '1',
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      state: 'a state',
      iss: issuer,
    });
  });

  test.each([
    ['shows the fault of an open client on the page', redirectUri, `${issuer}/console/oauth/consent?`],
    ['passes it on to loopback', 'http://localhost:4711/cb', 'http://localhost:4711/cb?error=invalid_scope&'],
  ])('%s', async (_title, redirect_uri, start) => {
    const client_id = 'https://assistant.example/client.json';
    await keepDocument(client_id, [redirectUri, 'http://localhost/cb']);
    const change = { client_id, redirect_uri, scope: 'admin' };

    const { status, headers } = await get('/oauth/authorize', createParameters(change).parameters);

    expect([status, String(headers.location).slice(0, start.length)]).toEqual([302, start]);
  });

  test('answers the same for a document on this machine, whether something listens there or not', async () => {
    const before = documentReads;
    const listening = [`${double.url}/client.json`, `${double.url}/none`, 'http://localhost:1/client.json'];
    for (const client_id of [...listening, 'http://127.0.0.1:22/x', 'http://[::1]:9/x']) {
      const { parameters } = createParameters({ client_id, scope: 'admin' });

      const { status, headers } = await get('/oauth/authorize', parameters);

      const query = new URLSearchParams(parameters).toString();
      expect([status, headers.location]).toEqual([302, `${issuer}/console/oauth/consent?${query}`]);
    }
    expect(documentReads).toBe(before);
  });

  test.each([
    { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ])('refuses what a page loads with %j, without a look at the client', async (headers) => {
    const before = documentReads;
    const query = new URLSearchParams(createParameters().parameters).toString();

    const { status, json } = await ask(`/oauth/authorize?${query}`, { headers });

    expect([status, json.error]).toEqual([400, 'invalid_request']);
    expect(documentReads).toBe(before);
  });

  test.each<Record<string, string>>([
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-mode': 'cors', 'user-agent': 'node' },
  ])('takes the navigation of a browser, and programs: %j', async (headers) => {
    const query = new URLSearchParams(createParameters().parameters).toString();

    expect((await ask(`/oauth/authorize?${query}`, { headers })).status).toBe(302);
  });
});

describe('the consent', () => {
  test('is asked for a client by its metadata document', async () => {
    const client_id = `${double.url}/client.json`;

    const { json } = await get(`${base}/request`, createParameters({ client_id }).parameters, admin.token);

    expect(json.data).toEqual({
      client: { id: client_id, name: 'Foreign', host: new URL(double.url).host },
      redirect_host: 'app.example',
      is_loopback: false,
      needs_password: false,
      scopes: ['mcp:read', 'mcp:write'],
    });
    expect((await callMcp((await connect({ client_id })).access, 'tools/list')).status).toBe(200);
  });

  test.each([
    [{ client_id: 'unknown' }, 'oauth.invalid_client'],
    [{ redirect_uri: 'https://evil.example/' }, 'oauth.invalid_request'],
    [{ response_type: 'token' }, 'oauth.unsupported_response_type'],
    [{ code_challenge: 'short' }, 'oauth.invalid_request'],
    [{ scope: 'admin' }, 'oauth.invalid_scope'],
    [{ resource: 'https://other.example/mcp' }, 'oauth.invalid_target'],
  ])('is refused with %j, and a refusal is too', async (change, code) => {
    const { parameters } = createParameters(change);

    const answers = [
      await get(`${base}/request`, parameters, admin.token),
      await post(`${base}/approve`, { ...parameters, approved: true }),
      await post(`${base}/approve`, { ...parameters, approved: false }),
    ];

    expect(answers.map((each) => each.code)).toEqual([code, code, code]);
  });

  test('needs a login', async () => {
    const { parameters } = createParameters();
    const asked = await get(`${base}/request`, parameters);
    const approved = await post(`${base}/approve`, { ...parameters, approved: true }, '');

    expect([asked.code, approved.code]).toEqual(Array(2).fill('auth.token_missing'));
  });

  test('that is not given leads to the client with the error', async () => {
    const { data } = await post(`${base}/approve`, { ...createParameters().parameters, approved: false });

    expect(data).toEqual({
      redirect: `${redirectUri}&error=access_denied&state=a+state&iss=${encodeURIComponent(issuer)}`,
    });
  });
});

describe('POST /oauth/token', () => {
  const wrongRefresh = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'x' };

  test('answers tokens that are not kept by caches, as RFC 6749 says', async () => {
    const { status, headers, json } = await postForm('/oauth/token', await approve());

    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(json).toEqual({
      access_token: expect.stringMatching(/^mcp_/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^mcpr_/),
      scope: 'mcp:read mcp:write',
    });
  });

  test.each([
    ['without a grant type', {}, 'invalid_request'],
    ['with an empty grant type', { grant_type: '' }, 'invalid_request'],
    ['with another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['without a code', { grant_type: 'authorization_code', client_id: 'x' }, 'invalid_request'],
    ['with a wrong refresh token', wrongRefresh, 'invalid_grant'],
    ['with a repeated parameter', 'grant_type=refresh_token&grant_type=refresh_token', 'invalid_request'],
  ])('refuses a request %s without the envelope', async (_title, fields, error) => {
    const { status, headers, json } = await postForm('/oauth/token', fields);

    expect([status, json]).toEqual([400, { error, error_description: expect.stringMatching(/./) }]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' });
  });

  test('refuses JSON and large bodies without the envelope', async () => {
    const json = await postForm('/oauth/token', { grant_type: 'refresh_token' }, 'application/json');
    const large = await postForm('/oauth/token', { grant_type: 'x'.repeat(20_000) });

    expect([json.status, json.json.error]).toEqual([415, 'invalid_request']);
    expect([large.status, large.json.error]).toEqual([413, 'invalid_request']);
  });

  test('ignores parameters that it does not know', async () => {
    const form = await approve();

    expect((await postForm('/oauth/token', { ...form, audience: 'x', client_secret: 'y' })).status).toBe(200);
  });

  test('describes failures in English in any locale', async () => {
    const headers = { 'accept-language': 'zh-CN' };
    const { json } = await ask('/oauth/token', { form: wrongRefresh, headers });

    expect(json.error_description).toContain('connect again');
  });
});

describe('POST /oauth/revoke', () => {
  test('ends both tokens, and answers 200 for any token', async () => {
    const { form, access } = await connect();
    const revoke = (token: string) => postForm('/oauth/revoke', { token, client_id: form.client_id });

    const answers = [await revoke(access), await revoke(access), await revoke('unknown')];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await callMcp(access, 'tools/list')).code).toBe('auth.token_revoked');
  });

  test('needs a token and a client', async () => {
    for (const form of [{ client_id: clientId }, { token: 'x' }] as Record<string, string>[])
      expect((await postForm('/oauth/revoke', form)).json.error).toBe('invalid_request');
  });
});

describe('a connection that is cut down to folders', () => {
  const listTools = async (token: string): Promise<string[]> => {
    const { json } = await callMcp(token, 'tools/list');
    return json.result.tools.map(({ name }: { name: string }) => name);
  };

  test('has the tools of these folders, also after a refresh, and no others', async () => {
    const whole = await listTools((await connect()).access);
    const { access, refresh } = await connect({}, { grants: ['tool:write', 'tool:write'] });
    const refreshing = { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId };
    const { json } = await postForm('/oauth/token', refreshing);

    for (const token of [access, String(json.access_token)]) {
      const tools = await listTools(token);
      expect(tools.length).toBeGreaterThan(0);
      expect(tools.length).toBeLessThan(whole.length);
      const other = whole.find((name) => !tools.includes(name));
      const refused = await callMcp(token, 'tools/call', { name: other, arguments: {} });
      expect(JSON.stringify(refused.json)).toMatch(/auth\.permission_denied|-32602/);
    }
    const { data } = await get('/adminapi/system/admin/token/list', { limit: '100' }, admin.token);
    expect(data.list[0]).toMatchObject({ kind: 'oauth', grants: ['tool:write'] });
  });

  test.each([[[]], [['tool']]])('is refused with %j', async (grants) => {
    const { parameters } = createParameters();
    const answer = await post(`${base}/approve`, { ...parameters, approved: true, grants });
    expect([answer.status, answer.code]).toEqual([422, 'request.invalid']);
  });

  test('is offered the folders that its administrator holds', async () => {
    const { data } = await get('/adminapi/system/admin/token/folders', {}, admin.token);
    expect(data.list).toContainEqual({ grant: 'system/file:write', title: expect.stringContaining(' › ') });
    expect(data.list.every(({ grant }: { grant: string }) => /^[\w/.-]+:write$/.test(grant))).toBe(true);
  });
});

describe('/mcp/service', () => {
  const metadata = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp/service"`;

  test.each([
    ['without a token', '', ''],
    ['with a wrong token', 'mcp_x', 'error="invalid_token", '],
  ])('leads a client %s to the authorisation server', async (_title, token, reason) => {
    const { status, headers } = await callMcp(token, 'tools/list');

    const challenge = `Bearer realm="mcp", ${reason}scope="mcp:read mcp:write", ${metadata}`;
    expect([status, headers['www-authenticate']]).toEqual([401, challenge]);
  });

  test('takes an access token at no other route', async () => {
    const { access } = await connect();

    for (const path of ['/adminapi/system/admin/info', `${base}/client/list`])
      expect((await get(path, {}, access)).code).toBe('auth.scope_insufficient');
  });
});

describe('clients', () => {
  const redirects = ['https://app.example/callback'];

  test('are listed with their redirect URIs, found by name, and deleted with their connections', async () => {
    const client = { name: 'Short life', redirect_uris: redirects };
    const { data: added } = await post(`${base}/client/add`, client);
    const { access } = await connect({ client_id: String(added.id), redirect_uri: redirects[0] });
    const listed = await get(`${base}/client/list`, { keyword: 'short' }, admin.token);
    const deleted = await post(`${base}/client/delete`, { id: added.id });
    const again = await post(`${base}/client/delete`, { id: added.id });

    expect(added).toEqual({ ...client, id: expect.any(String), created_at: expect.any(String) });
    expect(listed.json.data).toMatchObject({ list: [added], total: 1 });
    expect([deleted.status, again.code]).toEqual([200, 'oauth.client_not_found']);
    expect((await callMcp(access, 'tools/list')).status).toBe(401);
  });

  test('lose connections that an earlier deletion has left', async () => {
    const { data } = await post(`${base}/client/add`, { name: 'Half deleted', redirect_uris: redirects });
    const id = data.id;
    const { access } = await connect({ client_id: id, redirect_uri: redirects[0] });
    await transact([removeItem({ pk: 'OAUTH_CLIENT', sk: id }, { expect: {} }, () => new Error('missing'))]);

    expect((await post(`${base}/client/delete`, { id })).code).toBe('oauth.client_not_found');
    expect((await callMcp(access, 'tools/list')).status).toBe(401);
  });

  test.each([
    [{}, ['body.name', 'body.redirect_uris']],
    [{ name: '', redirect_uris: [] }, ['body.name', 'body.redirect_uris']],
    [{ name: 'x', redirect_uris: ['javascript:alert(1)'] }, ['body.redirect_uris.0']],
    [{ name: 'x', redirect_uris: [...redirects, 'http://app.example/'] }, ['body.redirect_uris.1']],
    [{ name: 'x', redirect_uris: redirects, secret: 'x' }, ['body.secret']],
  ])('are refused with %j', async (body, expected) => {
    const answer = await admin.post(`${base}/client/add`, body);

    expect([answer.status, paths(answer)]).toEqual([422, expected]);
  });
});

describe('the audit log', () => {
  const actor = () => ({ kind: 'oauth', id: expect.any(String), account: 'root', client: clientId });

  test('holds consents, exchanges, refreshes and revocations, with the client', async () => {
    const { entries } = await recordWork(async () => {
      const { refresh } = await connect();
      const refreshing = { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId };
      const { json } = await postForm('/oauth/token', refreshing);
      await postForm('/oauth/revoke', { token: String(json.access_token), client_id: clientId });
    });

    const redirect_uri = 'https://app.example/callback';
    expect(entries).toMatchObject([
      {
        actor: { kind: 'admin', account: 'root' },
        action: 'system/oauth/approve',
        outcome: 'ok',
        target: expect.stringMatching(/^api_tokens:/),
        fields: { client_id: clientId, approved: true, scope: 'mcp:read mcp:write', redirect_uri },
      },
      { actor: actor(), action: 'oauth/token', outcome: 'ok', fields: { grant_type: 'authorization_code' } },
      { actor: actor(), action: 'oauth/token', outcome: 'ok', fields: { grant_type: 'refresh_token' } },
      { actor: actor(), action: 'oauth/revoke', outcome: 'ok', fields: { client_id: { length: 26 } } },
    ]);
    expect(entries.every(({ channel }) => channel === 'api')).toBe(true);
  });

  test('holds the rights that a connection was cut down to', async () => {
    const { entries } = await recordWork(() => approve({}, { grants: ['system/file:write'] }));

    expect(entries).toMatchObject([{ fields: { grants: ['system/file:write'] } }]);
  });

  test('holds the end of all connections of a client once', async () => {
    const client_id = `${double.url}/client.json`;
    const tokens = [];
    for (let count = 0; count < 4; count += 1) tokens.push((await connect({ client_id })).access);
    // The first one has ended already, so it is not the first write.
    await postForm('/oauth/revoke', { token: tokens[0] ?? '', client_id });

    expect((await recordWork(() => post(`${base}/client/revoke`, { id: client_id }))).entries).toMatchObject([
      { action: 'system/oauth/client/revoke', outcome: 'ok', fields: { id: client_id } },
    ]);
    for (const token of tokens) expect((await callMcp(token, 'tools/list')).status).toBe(401);
  });

  test('holds a code that is used again as the end of its connection, and as a failure', async () => {
    const { form } = await connect();

    expect((await recordWork(() => postForm('/oauth/token', form))).entries).toMatchObject([
      { actor: actor(), action: 'oauth/token', outcome: 'ok' },
      { actor: actor(), action: 'oauth/token', outcome: 'failed', code: 'oauth.token_reused' },
    ]);
  });

  test('counts refused exchanges of an address, and keeps nothing of requests that say nothing', async () => {
    const send = (path: string, body: string, type = 'application/x-www-form-urlencoded') => {
      const headers = { 'content-type': type };
      return functions.call({ method: 'POST', path, headers, body, address: '198.51.100.9' });
    };

    const { entries } = await recordWork(async () => {
      for (let count = 0; count < 3; count += 1) {
        await send('/oauth/token', 'grant_type=refresh_token&refresh_token=x&client_id=x');
      }
      await send('/oauth/revoke', 'token=x&client_id=x');
      await send('/oauth/token', '{}', 'application/json');
    });

    expect(entries).toMatchObject([
      { outcome: 'refused', code: 'oauth.invalid_grant', actor: { id: null }, address: '198.51.100.9' },
    ]);
  });
});
