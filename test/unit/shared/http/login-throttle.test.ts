import { randomInt, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import fc from 'fast-check';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { addAdmin } from '#modules/System/admins/admins.ts';
import { checkCaptcha } from '#modules/System/site/captcha.ts';
import throttles from '#modules/System/throttles.ts';
import { encrypt } from '#shared/crypto/encrypt.ts';
import throttle from '#shared/http/gates/throttle.ts';
import adminLogin from '../../../../modules/System/Admin/login/account.ts';
import userLogin from '../../../../modules/System/Api/login/account.ts';
import userRegister from '../../../../modules/System/Api/login/register.ts';
import { inAnotherProcess, randomLetters, useDatabase } from '../../../support/database.ts';
import {
  giveCode,
  newMobile,
  newUserWithPassword,
  wrongCodeFor,
} from '../../modules/system/users/fixture.ts';
import { type Answer, call } from './fake-request.ts';

// Pressure on an account or a mobile from many addresses asks for the captcha; pressure from one address is refused.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
beforeEach(() => {
  jest.spyOn(console, 'warn').mockImplementation(() => {});
  jest.spyOn(console, 'error').mockImplementation(() => {});
});

const password = 'correct horse battery';
const captcha = 'auth.captcha_required';
const wrong = 'auth.credentials_invalid';

/** An address that no other request here has. */
const newAddress = () => [10, randomInt(256), randomInt(256), randomInt(256)].join('.');
const codeOf = ({ json }: Answer) => json?.code;
const outcomeOf = ({ status, json }: Answer) => `${status} ${json?.code}`;

async function newAccount(): Promise<string> {
  const account = randomLetters();
  await addAdmin({ account, name: account, password });
  return account;
}

interface Login {
  name: string;
  secret?: string;
  address?: string;
  captcha_token?: string | undefined;
}

const logInAdmin = ({ name, secret = password, address = newAddress(), captcha_token }: Login) =>
  call(adminLogin, { method: 'POST', address, body: { account: name, password: secret, captcha_token } }, [
    throttle('admin-login', throttles['admin-login']),
  ]);

const askUser = (
  body: object,
  address = newAddress(),
  route: typeof userLogin | typeof userRegister = userLogin,
) =>
  call(route, { method: 'POST', address, body: { terminal: 3, ...body } }, [
    throttle('user-login', throttles['user-login']),
  ]);

const logInUser = ({ name, secret = password, address, captcha_token }: Login) =>
  askUser({ scene: 'password', mobile: name, password: secret, captcha_token }, address);

async function solve({ json }: Answer): Promise<string> {
  const { challenge } = Object(json?.data) as { challenge: Challenge };
  const solution = await solveChallenge({ challenge, deriveKey });
  const payload = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  return (await checkCaptcha(payload)).captcha_token;
}

/** A token as a solved captcha gives it, without the seconds of work. */
const makeToken = () =>
  encrypt(
    JSON.stringify([randomUUID(), Math.floor(Date.now() / 1000) + 60]),
    'captcha_token',
    'captcha-token',
  );

const kinds = [
  {
    kind: 'an administrator',
    limit: 10,
    logIn: logInAdmin,
    add: newAccount,
    addNone: async () => randomLetters(),
  },
  {
    kind: 'a user',
    limit: 30,
    logIn: logInUser,
    add: async () => (await newUserWithPassword()).mobile,
    addNone: async () => newMobile(),
  },
];

describe.each(kinds)('the login of $kind', ({ limit, logIn, add, addNone }) => {
  async function failOften(name: string, count = limit): Promise<(string | undefined)[]> {
    const codes = [];
    for (let n = 0; n < count; n += 1) codes.push(codeOf(await logIn({ name, secret: 'wrong' })));
    return codes;
  }

  test('asks for the captcha after too many failures, from every address, and lets the owner in', async () => {
    const name = await add();
    const failed = await failOften(name);

    const asked = await logIn({ name });
    const forged = await logIn({ name, captcha_token: 'x' });
    const captcha_token = await solve(asked);
    const entered = await logIn({ name, captcha_token });
    const replayed = await logIn({ name, captcha_token });

    expect(new Set(failed)).toEqual(new Set([wrong]));
    expect([asked, forged, entered, replayed].map(outcomeOf)).toEqual([
      `422 ${captcha}`,
      '422 auth.captcha_invalid',
      '200 ok',
      '422 auth.captcha_invalid',
    ]);
    expect(asked.json?.data).toEqual({ driver: 'altcha', challenge: expect.anything() });
  });

  test('answers the same if the account does not exist', async () => {
    const readAnswers = async (name: string) => {
      const codes = await failOften(name, limit + 2);
      const { status, headers, json } = await logIn({ name, secret: 'wrong' });
      const { 'ratelimit-limit': most, 'ratelimit-remaining': left } = headers;
      return {
        codes,
        status,
        most,
        left,
        code: json?.code,
        message: json?.message,
        data: Object.keys(Object(json?.data)),
      };
    };

    expect(await readAnswers(await add())).toEqual(await readAnswers(await addNone()));
  });

  test('checks no more guesses than the limit, also if they come at once from many addresses', async () => {
    const name = await add();

    const answers = await Promise.all(
      Array.from({ length: limit * 3 }, () => logIn({ name, secret: 'wrong', address: newAddress() })),
    );

    const codes = answers.map(codeOf);
    expect(codes.filter((code) => code === wrong)).toHaveLength(limit);
    expect(codes.filter((code) => code === captcha)).toHaveLength(limit * 2);
  });

  test('counts no login that succeeds, and none that is not checked', async () => {
    const name = await add();
    await failOften(name, limit - 1);

    const good = [];
    for (let n = 0; n < limit + 2; n += 1) good.push(codeOf(await logIn({ name })));
    for (let n = 0; n < limit + 2; n += 1) await logIn({ name, secret: 'x'.repeat(200) });
    const [last, next] = await failOften(name, 2);

    expect(new Set(good)).toEqual(new Set(['ok']));
    expect([last, next]).toEqual([wrong, captcha]);
  });

  test('still refuses an address that tries one account too often', async () => {
    const name = await add();
    const address = newAddress();

    const answers = [];
    for (let n = 0; n < 7; n += 1) answers.push(codeOf(await logIn({ name, secret: 'wrong', address })));

    expect(answers).toEqual([...Array(5).fill(wrong), 'throttle.exceeded', 'throttle.exceeded']);
    expect(codeOf(await logIn({ name }))).toBe('ok');
  });

  test('lets the owner in among any other logins, and checks few guesses of those without a captcha', async () => {
    const step = fc.oneof(
      { arbitrary: fc.record({ kind: fc.constant('guess' as const), address: fc.nat(40) }), weight: 8 },
      { arbitrary: fc.record({ kind: fc.constant('burst' as const), address: fc.nat(40) }), weight: 1 },
      { arbitrary: fc.record({ kind: fc.constant('owner' as const), address: fc.nat(40) }), weight: 2 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: limit, maxLength: limit * 2 }), async (steps) => {
        const name = await add();
        const addresses = Array.from({ length: 41 }, newAddress);
        const sent = new Map<string, number>();
        const send = (address: string, login: Omit<Login, 'name'>) => {
          sent.set(address, (sent.get(address) ?? 0) + 1);
          return logIn({ name, address, ...login });
        };
        let checked = 0;
        const guess = async (address: string) => {
          if (codeOf(await send(address, { secret: 'wrong' })) === wrong) checked += 1;
        };
        for (const { kind, address: at } of steps) {
          const address = addresses[at] ?? '';
          if (kind === 'guess') await guess(address);
          if (kind === 'burst') await Promise.all(addresses.slice(0, 5).map(guess));
          if (kind !== 'owner') continue;
          let answer = await send(address, {});
          if (codeOf(answer) === captcha) answer = await send(address, { captcha_token: makeToken() });
          const isAddressBusy = (sent.get(address) ?? 0) > 5;
          expect(answer.status === 429 ? isAddressBusy : outcomeOf(answer)).toEqual(
            answer.status === 429 || '200 ok',
          );
        }
        expect(checked).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 3 },
    );
  }, 300_000);

  test('counts in the table if the cache is away', async () => {
    const name = await add();
    const isAdmin = limit === 10;
    const codes: (string | undefined)[] = [];
    // Windows in the table begin on the full hour: none may end during the test.
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now - (now % 3_600_000) + 1000);
    const [failures, perAddress] = [limit / 5, isAdmin ? 4 : 2];
    const environment = { UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9', THROTTLE_FACTOR: '0.2' };
    const address = newAddress();
    const ask = async (secrets: readonly string[], from?: string) =>
      inAnotherProcess(environment, async () => {
        const { call } = await import('./fake-request.ts');
        const { default: throttle } = await import('#shared/http/gates/throttle.ts');
        const { default: asAdmin } = await import('../../../../modules/System/Admin/login/account.ts');
        const { default: asUser } = await import('../../../../modules/System/Api/login/account.ts');
        const throttleName = isAdmin ? 'admin-login' : 'user-login';
        const gates = [throttle(throttleName, throttles[throttleName])];
        const fields = isAdmin ? { account: name } : { terminal: 3, scene: 'password', mobile: name };
        for (const secret of secrets) {
          const request = { method: 'POST', address: from ?? newAddress() } as const;
          const body = { ...fields, password: secret };
          codes.push(codeOf(await call(isAdmin ? asAdmin : asUser, { ...request, body }, gates)));
        }
      });
    await ask([password, password, ...Array(failures).fill('wrong')]);
    // Other processes know of these requests by the table alone.
    await ask(Array(perAddress).fill(password), address);
    await ask([password], address);
    clock.mockRestore();

    expect(codes).toEqual([
      ...['ok', 'ok', ...Array(failures).fill(wrong)],
      ...[...Array(perAddress).fill(captcha), 'throttle.exceeded'],
    ]);
  }, 300_000);
});

describe('a code by SMS', () => {
  const byCode = (mobile: string, code: string, more = {}) =>
    askUser({ scene: 'sms', mobile, code, ...more });
  const register = (mobile: string, code: string, more = {}) =>
    askUser({ mobile, code, password, ...more }, newAddress(), userRegister);

  test('that is right is not counted as a failure', async () => {
    const { mobile } = await newUserWithPassword();
    for (let n = 0; n < 29; n += 1) await logInUser({ name: mobile, secret: 'wrong' });

    const good = [];
    for (let n = 0; n < 3; n += 1) good.push(codeOf(await byCode(mobile, await giveCode(mobile, 'login'))));
    const last = await byCode(mobile, wrongCodeFor(await giveCode(mobile, 'login')));
    const next = await byCode(mobile, await giveCode(mobile, 'login'));

    expect(good).toEqual(['ok', 'ok', 'ok']);
    expect([last, next].map(codeOf)).toEqual(['auth.code_invalid', captcha]);
  });

  test('needs the captcha under pressure, and is not used up without it', async () => {
    const { mobile } = await newUserWithPassword();
    for (let n = 0; n < 30; n += 1) await logInUser({ name: mobile, secret: 'wrong' });
    const code = await giveCode(mobile, 'login');

    const asked = [];
    for (let n = 0; n < 6; n += 1) asked.push(codeOf(await byCode(mobile, wrongCodeFor(code))));

    expect(new Set(asked)).toEqual(new Set([captcha]));
    expect(codeOf(await byCode(mobile, code, { captcha_token: makeToken() }))).toBe('ok');
  });

  test('registers a mobile that others have guessed at, with the captcha', async () => {
    const mobile = newMobile();
    for (let n = 0; n < 30; n += 1) await logInUser({ name: mobile, secret: 'wrong' });
    const code = await giveCode(mobile, 'register');

    const asked = await register(mobile, code);
    const done = await register(mobile, code, { captcha_token: makeToken() });

    expect(asked).toMatchObject({ status: 422, json: { code: captcha, data: { driver: 'altcha' } } });
    expect(codeOf(done)).toBe('ok');
  });
});
