import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '../support/client.ts';
import { startSwitchableStores } from '../support/stores.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';

const loginPath = '/adminapi/system/login/account';
const captchaPath = '/adminapi/system/login/captchaConfig';

// Each group of tests has its own server and an empty cache, so all counters start at zero.
const useCountingServer = (environment: () => NodeJS.ProcessEnv = () => ({})) =>
  useServer(() => ({ login: false, environment: { THROTTLE_FACTOR: '1', ...environment() } }));

const tryLogin = (client: Client, account: string, headers: Record<string, string> = {}) =>
  client.post(loginPath, { account, password: 'wrong' }, { headers });

const count = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('throttle:admin-login', () => {
  const { server, client } = useCountingServer();

  test('lets exactly the allowed number of 1,000 parallel attempts past', async () => {
    const attempts = Array.from({ length: 1000 }, (_, n) =>
      fetch(server.url + loginPath, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ account: `account${n}`, password: 'wrong' }),
      }),
    );

    const answers = await Promise.all(attempts);

    // If neither store answers in time, an attempt ends with 503, and another one may take its place.
    const past = answers.filter(({ status }) => status < 500 && status !== 429);
    expect(past.length).toBeLessThanOrEqual(20);
    expect(count(answers, 429)).toBeLessThanOrEqual(980);
    expect(count(answers, 429)).toBeGreaterThan(900);
  }, 60_000);

  test('answers how long to wait, and how many requests are left', async () => {
    const answer = await tryLogin(client, 'anyone');

    expect(answer).toMatchObject({ status: 429, code: 'throttle.exceeded', data: null });
    const retryAfter = Number(answer.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(answer.headers.get('ratelimit-limit')).toBe('20');
    expect(answer.headers.get('ratelimit-remaining')).toBe('0');
    expect(answer.headers.get('ratelimit-reset')).toBe(String(retryAfter));
  });

  test('ignores headers about the address', async () => {
    const forged = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip'];
    for (const name of forged) {
      const answer = await tryLogin(client, 'anyone', {
        [name]: name === 'forwarded' ? 'for=192.0.2.9' : '192.0.2.9',
      });

      expect(answer.status).toBe(429);
    }
  });
});

describe('throttle:admin-login by account', () => {
  const { client } = useCountingServer();

  test('refuses the sixth attempt on one account, and does not count refused attempts', async () => {
    const first = [];
    for (let n = 0; n < 6; n += 1) first.push(await tryLogin(client, 'target'));
    for (let n = 0; n < 30; n += 1) await tryLogin(client, 'target');

    const other = await tryLogin(client, 'other');

    expect(first.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    const remaining = first.map(({ headers }) => headers.get('ratelimit-remaining'));
    expect(remaining.join()).toBe('4,3,2,1,0,0');
    // Five of the address's twenty attempts are used, not thirty-six.
    expect(other.status).toBe(401);
  });

  test('counts only the address if the body has no account', async () => {
    const unreadable = await client.post(loginPath, '{"account":');
    const large = await client.post(loginPath, { account: 'target', password: 'x'.repeat(20_000) });

    expect(unreadable).toMatchObject({ status: 400, code: 'request.malformed' });
    // A body too large to be counted by account must not bypass the throttle.
    expect(large).toMatchObject({ status: 413, code: 'request.too_large' });
  });
});

describe('throttles without the cache', () => {
  const stores = useRunning(startSwitchableStores);
  const { client } = useCountingServer(() => stores.environment);
  beforeEach(() => {
    stores.cache.setMode('pass');
    stores.database.setMode('pass');
  });

  test('of logins count in the table, and refuse if it is not reachable either', async () => {
    stores.cache.setMode('refuse');

    const answers = [];
    for (let n = 0; n < 7; n += 1) answers.push(await tryLogin(client, 'fallback'));
    stores.database.setMode('refuse');
    const bothAway = await tryLogin(client, 'another');

    // Windows are fixed on the clock in the table: one may end during the test.
    expect(count(answers, 401)).toBeGreaterThanOrEqual(5);
    expect(count(answers, 401) + count(answers, 429)).toBe(7);
    expect(bothAway).toMatchObject({ status: 503, code: 'database.unavailable' });
  });

  test('of others count in the process', async () => {
    stores.cache.setMode('refuse');

    const answers = [];
    for (let n = 0; n < 31; n += 1) answers.push(await client.get(captchaPath));

    expect(answers.slice(0, 30).map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(answers[30]).toMatchObject({ status: 429 });
  });

  test('answer although the cache hangs', async () => {
    stores.cache.setMode('hang');

    expect((await client.get('/api/system/config/dict?type=bank_kind')).status).toBe(200);
  });
});
