import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer({ environment: { THROTTLE_FACTOR: '1' } });
});
afterAll(() => server?.stop());

test('the open endpoints of OAuth take 30 requests a minute of one address together', async () => {
  const metadata = '/.well-known/oauth-authorization-server';
  const answers = await Promise.all(Array.from({ length: 28 }, () => fetch(server.url + metadata)));
  const last = [
    await fetch(`${server.url}/oauth/authorize`),
    await fetch(`${server.url}/oauth/token`, { method: 'POST', body: new URLSearchParams() }),
  ];
  const refused = [
    await fetch(server.url + metadata),
    await fetch(`${server.url}/oauth/authorize`, { redirect: 'manual' }),
    await fetch(`${server.url}/oauth/token`, { method: 'POST', body: new URLSearchParams() }),
    await fetch(`${server.url}/oauth/revoke`, { method: 'POST', body: new URLSearchParams() }),
  ];

  expect([...answers, ...last].map(({ status }) => status)).toEqual([...Array(28).fill(200), 400, 400]);
  for (const answer of refused) {
    expect([answer.status, Object(await answer.json()).error]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});
