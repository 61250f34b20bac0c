import { expect, test } from '@jest/globals';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { administrator } from '../support/administrator.ts';
import { useServer } from '../support/use-server.ts';

const base = '/adminapi/system/login';

const { client, saveSettings } = useServer();

const enable = (captcha_enabled: boolean) => saveSettings('login', { captcha_enabled });

async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

async function fetchChallenge(): Promise<Challenge> {
  const answer = await client.get(`${base}/captchaConfig`);
  return answer.data.challenge;
}

const check = (payload: string) => client.post(`${base}/checkCaptcha`, { payload });
const login = (captcha_token?: string) => client.post(`${base}/account`, { ...administrator, captcha_token });

test('a login needs a captcha if it is enabled, and a token is valid once', async () => {
  const off = await client.get(`${base}/captchaConfig`);
  await enable(true);

  const without = await login();
  const on = await client.get(`${base}/captchaConfig`);
  const payload = await solve(await fetchChallenge());
  const checked = await check(payload);
  const replayed = await check(payload);
  const { captcha_token } = checked.data;
  const first = await login(captcha_token);
  const second = await login(captcha_token);
  await enable(false);

  expect(off.data).toEqual({ enabled: false, driver: 'altcha', challenge: null });
  expect(without).toMatchObject({ status: 422, code: 'auth.captcha_required' });
  expect(on.data).toMatchObject({ enabled: true, challenge: { signature: expect.any(String) } });
  expect(replayed).toMatchObject({ status: 422, code: 'auth.captcha_invalid' });
  expect(first.status).toBe(200);
  expect(second).toMatchObject({ status: 422, code: 'auth.captcha_invalid' });
});

test('a foreign, changed or unsolved challenge is refused', async () => {
  await enable(true);
  const challenge = await fetchChallenge();
  const solved = JSON.parse(Buffer.from(await solve(challenge), 'base64').toString());
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

  const later = { ...challenge.parameters, expiresAt: 9_999_999_999 };
  const attempts = [
    'x',
    encode(null),
    encode({ ...solved, solution: { ...solved.solution, derivedKey: '00'.repeat(32) } }),
    encode({ ...solved, challenge: { ...challenge, signature: 'ab'.repeat(32) } }),
    encode({ ...solved, challenge: { ...challenge, parameters: later } }),
    encode({ ...solved, challenge: { ...challenge, parameters: { ...challenge.parameters, cost: 1 } } }),
  ];

  for (const attempt of attempts) {
    expect(await check(attempt)).toMatchObject({ status: 422, code: 'auth.captcha_invalid' });
  }
  expect(await login('invented')).toMatchObject({ status: 422, code: 'auth.captcha_invalid' });
  expect((await check(encode(solved))).status).toBe(200);
});
