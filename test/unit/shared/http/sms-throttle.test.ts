import { randomInt } from 'node:crypto';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { checkCaptcha } from '#modules/System/site/captcha.ts';
import throttles from '#modules/System/throttles.ts';
import { toDay } from '#shared/config/local-time.ts';
import { transact } from '#shared/db/items.ts';
import throttle from '#shared/http/gates/throttle.ts';
import sendCode from '../../../../modules/System/Api/login/sendCode.ts';
import { inAnotherProcess, useDatabase } from '../../../support/database.ts';
import { keys } from '../../../support/keys.ts';
import { createTempDir } from '../../../support/local-server.ts';
import { call } from './fake-request.ts';

process.env.DATA_DIR = createTempDir();
useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

beforeEach(() => {
  jest.spyOn(console, 'warn').mockImplementation(() => {});
  jest.spyOn(console, 'error').mockImplementation(() => {});
});

/** A mobile that needs a captcha for its next code. */
async function newMobile(): Promise<string> {
  const mobile = `13${randomInt(10 ** 8, 10 ** 9)}`;
  await transact([{ Put: { Item: { ...keys.smsDay(toDay(), mobile), count: 3 } } }]);
  return mobile;
}

const send = (mobile: string, captcha_token?: string) =>
  call(sendCode, { method: 'POST', body: { mobile, scene: 'login', captcha_token } }, [
    throttle('sms', throttles.sms),
  ]);

async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  const payload = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  return (await checkCaptcha(payload)).captcha_token;
}

test("releases the mobile's counts of minute and day if a captcha is required", async () => {
  const mobile = await newMobile();

  const asked = [await send(mobile), await send(mobile)];
  const sent = await send(mobile, await solve(Object(asked[0]?.json?.data).challenge));
  const next = await send(mobile);

  for (const { status, json, headers } of asked) {
    expect({ status, code: json?.code }).toEqual({ status: 422, code: 'auth.captcha_required' });
    expect(headers).toMatchObject({ 'ratelimit-limit': '1', 'ratelimit-remaining': '1' });
  }
  expect(sent).toMatchObject({ status: 200, headers: { 'ratelimit-remaining': '0' } });
  expect(next).toMatchObject({ status: 429, json: { code: 'throttle.exceeded' } });
});

test("keeps the address's count, so that captcha requests are limited too", async () => {
  const codes: (string | undefined)[] = [];
  for (let n = 0; n < 31; n += 1) codes.push((await send(await newMobile())).json?.code);

  expect(codes).toContain('auth.captcha_required');
  expect(codes.at(-1)).toBe('throttle.exceeded');
});

test('releases the count in the table too, if the cache is away', async () => {
  const mobile = await newMobile();
  const codes: (string | undefined)[] = [];

  await inAnotherProcess({ UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9' }, async () => {
    const { call } = await import('./fake-request.ts');
    const { default: throttle } = await import('#shared/http/gates/throttle.ts');
    const { default: route } = await import('../../../../modules/System/Api/login/sendCode.ts');
    for (let n = 0; n < 2; n += 1) {
      const request = { method: 'POST', body: { mobile, scene: 'login' } } as const;
      codes.push((await call(route, request, [throttle('sms', throttles.sms)])).json?.code);
    }
  });

  expect(codes).toEqual(['auth.captcha_required', 'auth.captcha_required']);
});

test('answers database.unavailable if both stores are away', async () => {
  const mobile = await newMobile();
  const away = 'http://127.0.0.1:9';
  let answer: unknown;

  await inAnotherProcess({ UPSTASH_REDIS_REST_URL: away, DYNAMODB_ENDPOINT: away }, async () => {
    const { call } = await import('./fake-request.ts');
    const { default: throttle } = await import('#shared/http/gates/throttle.ts');
    const { default: route } = await import('../../../../modules/System/Api/login/sendCode.ts');
    answer = await call(route, { method: 'POST', body: { mobile, scene: 'login' } }, [
      throttle('sms', throttles.sms),
    ]);
  });

  expect(answer).toMatchObject({ status: 503, json: { code: 'database.unavailable' } });
});
