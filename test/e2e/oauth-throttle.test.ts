import { beforeAll, expect, test } from '@jest/globals';
import type { AnyAnswer } from '../support/client.ts';
import { authorizeParameters, codeOf, createPkce } from '../support/oauth.ts';
import { useServer } from '../support/use-server.ts';

let resource: string;
const { client, admin } = useServer({ environment: { THROTTLE_FACTOR: '1' } });

beforeAll(async () => {
  ({ resource } = (await client.ask(metadata)).json);
});
const base = '/adminapi/system/oauth';
const metadata = '/.well-known/oauth-protected-resource';
const redirectUri = 'http://127.0.0.1/callback';

const postForm = (path: string, form: Record<string, string> = {}) => client.ask(path, { form });

async function connect(clientId: string): Promise<string> {
  const { verifier, challenge } = createPkce();
  const parameters = authorizeParameters(clientId, redirectUri, challenge);
  const { data } = await admin.post(`${base}/approve`, { ...parameters, resource, approved: true });
  const answer = await postForm('/oauth/token', {
    ...{ grant_type: 'authorization_code', client_id: clientId, code: codeOf(data.redirect) },
    ...{ redirect_uri: redirectUri, code_verifier: verifier },
  });
  return answer.json.refresh_token;
}

const expectRefused = (answer: AnyAnswer) => {
  expect([answer.status, answer.json.error]).toEqual([429, 'temporarily_unavailable']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
};

test('genuine renewals of one address pass while strangers at that address are limited', async () => {
  const { data } = await admin.post(`${base}/client/add`, { name: 'Hosted', redirect_uris: [redirectUri] });
  const client_id = data.id;
  const invented = { grant_type: 'refresh_token', client_id, refresh_token: 'mcpr_invented' };
  const strangers = await Promise.all(Array.from({ length: 40 }, () => postForm('/oauth/token', invented)));
  const refreshTokens = [await connect(client_id), await connect(client_id)];
  const statuses: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    for (const [at, refresh_token] of refreshTokens.entries()) {
      const form = { grant_type: 'refresh_token', client_id, refresh_token };
      const answer = await postForm('/oauth/token', form);
      statuses.push(answer.status);
      refreshTokens[at] = answer.json.refresh_token;
    }
  }
  const ended = await postForm('/oauth/revoke', { client_id, token: refreshTokens[0] ?? '' });

  expect(strangers.filter(({ status }) => status === 400)).toHaveLength(30);
  expectRefused(await postForm('/oauth/token', invented));
  expectRefused(await postForm('/oauth/token'));
  expectRefused(await postForm('/oauth/revoke', { client_id, token: 'mcp_invented' }));
  expect(statuses).toEqual(Array(40).fill(200));
  expect(ended.status).toBe(200);
});

test('a connection is limited by itself', async () => {
  const { data } = await admin.post(`${base}/client/add`, { name: 'Loop', redirect_uris: [redirectUri] });
  const client_id = data.id;
  const [looping, other] = [await connect(client_id), await connect(client_id)];
  const renew = (refresh_token: string) =>
    postForm('/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token });

  // The exchange of its code counts too.
  const answers = await Promise.all(Array.from({ length: 60 }, () => renew(looping)));

  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  expect((await renew(other)).status).toBe(200);
});

test('metadata, requests to connect and tokens have limits of their own', async () => {
  const authorize = () => client.ask('/oauth/authorize');

  const asked = await Promise.all(Array.from({ length: 31 }, authorize));
  const read = [];
  for (let round = 0; round < 7; round += 1) {
    read.push(...(await Promise.all(Array.from({ length: 50 }, () => client.ask(metadata)))));
  }

  expect(asked.map(({ status }) => status).sort()).toEqual([...Array(30).fill(400), 429]);
  // One was read before the tests.
  expect(read.filter(({ status }) => status === 200)).toHaveLength(299);
  expectRefused(await client.ask('/.well-known/oauth-authorization-server'));
  expectRefused(await authorize());
});
