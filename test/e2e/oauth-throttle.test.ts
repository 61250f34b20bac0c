import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, createClient } from '../support/client.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { authorizeParameters, codeOf, createPkce } from '../support/oauth.ts';

let server: LocalServer;
let client: Client;
let token: string;
let resource: string;
beforeAll(async () => {
  server = await startLocalServer({ environment: { THROTTLE_FACTOR: '1' } });
  client = createClient(server.url);
  token = await client.login();
  resource = Object(await (await fetch(server.url + metadata)).json()).resource;
});
afterAll(() => server?.stop());

const base = '/adminapi/system/oauth';
const metadata = '/.well-known/oauth-protected-resource';
const redirectUri = 'http://127.0.0.1/callback';

const postForm = (path: string, fields: Record<string, string> = {}) =>
  fetch(server.url + path, { method: 'POST', body: new URLSearchParams(fields) });

async function connect(clientId: string): Promise<string> {
  const { verifier, challenge } = createPkce();
  const parameters = authorizeParameters(clientId, redirectUri, challenge);
  const { data } = await client.post(
    `${base}/approve`,
    { ...parameters, resource, approved: true },
    { token },
  );
  const answer = await postForm('/oauth/token', {
    ...{ grant_type: 'authorization_code', client_id: clientId, code: codeOf(Object(data).redirect) },
    ...{ redirect_uri: redirectUri, code_verifier: verifier },
  });
  return Object(await answer.json()).refresh_token;
}

const expectRefused = async (answer: Response) => {
  expect([answer.status, Object(await answer.json()).error]).toEqual([429, 'temporarily_unavailable']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
};

test('genuine renewals of one address pass while strangers at that address are limited', async () => {
  const { data } = await client.post(
    `${base}/client/add`,
    { name: 'Hosted', redirect_uris: [redirectUri] },
    { token },
  );
  const client_id = String(Object(data).id);
  const invented = { grant_type: 'refresh_token', client_id, refresh_token: 'mcpr_invented' };
  const strangers = await Promise.all(Array.from({ length: 40 }, () => postForm('/oauth/token', invented)));
  const refreshTokens = [await connect(client_id), await connect(client_id)];
  const statuses: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    for (const [at, refresh_token] of refreshTokens.entries()) {
      const answer = await postForm('/oauth/token', {
        grant_type: 'refresh_token',
        client_id,
        refresh_token,
      });
      statuses.push(answer.status);
      refreshTokens[at] = Object(await answer.json()).refresh_token;
    }
  }
  const ended = await postForm('/oauth/revoke', { client_id, token: refreshTokens[0] ?? '' });

  expect(strangers.filter(({ status }) => status === 400)).toHaveLength(30);
  await expectRefused(await postForm('/oauth/token', invented));
  await expectRefused(await postForm('/oauth/token'));
  await expectRefused(await postForm('/oauth/revoke', { client_id, token: 'mcp_invented' }));
  expect(statuses).toEqual(Array(40).fill(200));
  expect(ended.status).toBe(200);
});

test('a connection is limited by itself', async () => {
  const { data } = await client.post(
    `${base}/client/add`,
    { name: 'Loop', redirect_uris: [redirectUri] },
    { token },
  );
  const client_id = String(Object(data).id);
  const [looping, other] = [await connect(client_id), await connect(client_id)];
  const renew = (refresh_token: string) =>
    postForm('/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token });

  // The exchange of its code counts too.
  const answers = await Promise.all(Array.from({ length: 60 }, () => renew(looping)));

  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  expect((await renew(other)).status).toBe(200);
});

test('metadata, requests to connect and tokens have limits of their own', async () => {
  const authorize = () => fetch(`${server.url}/oauth/authorize`, { redirect: 'manual' });

  const asked = await Promise.all(Array.from({ length: 31 }, authorize));
  const read = [];
  for (let round = 0; round < 7; round += 1) {
    read.push(...(await Promise.all(Array.from({ length: 50 }, () => fetch(server.url + metadata)))));
  }

  expect(asked.map(({ status }) => status).sort()).toEqual([...Array(30).fill(400), 429]);
  // One was read before the tests.
  expect(read.filter(({ status }) => status === 200)).toHaveLength(299);
  await expectRefused(await fetch(`${server.url}/.well-known/oauth-authorization-server`));
  await expectRefused(await authorize());
});
