import { describe, expect, test } from '@jest/globals';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { gist, outcome, paths } from '../support/answers.ts';
import { useServer } from '../support/use-server.ts';
import { createPhones, mask, newMobile, password, wrongCodeFor } from './user-fixture.ts';

const infoPath = '/api/system/user/info';

const { server, client, admin, saveSettings } = useServer({ environment: { THROTTLE_FACTOR: '1000' } });
const phones = createPhones(server, client);

const info = (token: string) => client.get(infoPath, { token });

describe('sendCode', () => {
  test.each(['login', 'register', 'bind_mobile'])(
    'answers known and unknown mobiles the same: %s',
    async (scene) => {
      const [known, unknown] = [newMobile(), newMobile()];
      await phones.register(known);

      const forKnown = await phones.sendCode(known, scene);
      const forUnknown = await phones.sendCode(unknown, scene);

      expect(forKnown).toMatchObject({ status: 200, data: { expires_in: 300 } });
      expect(gist(forUnknown)).toEqual(gist(forKnown));
      expect(await phones.readCode(known, scene)).toMatch(/^\d{6}$/);
      expect(await phones.readCode(unknown, scene)).toMatch(/^\d{6}$/);
    },
  );

  test('accepts only mobiles of mainland China and its own scenes', async () => {
    const answers = [
      await phones.sendCode('12812340000', 'login'),
      await phones.sendCode('+8613812340000', 'login'),
      await phones.sendCode(newMobile(), 'password'),
      await client.post('/api/system/login/sendCode', { mobile: newMobile(), scene: 'login', to: 'x' }),
    ];

    expect(answers.map(outcome)).toEqual(Array(4).fill('422 request.invalid'));
    expect(answers.map(paths)).toEqual([['body.mobile'], ['body.mobile'], ['body.scene'], ['body.to']]);
  });

  test('needs a captcha from the fourth code of a day on, a new one each time', async () => {
    const mobile = newMobile();
    const free = [];
    for (const scene of ['login', 'register', 'bind_mobile']) free.push(await phones.sendCode(mobile, scene));

    const without = await phones.sendCode(mobile, 'login');
    const forged = await phones.sendCode(mobile, 'login', 'x');
    const token = await solveCaptcha(without.data.challenge);
    const solved = await phones.sendCode(mobile, 'login', token);
    const again = await phones.sendCode(mobile, 'login', token);

    expect(free.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(without).toMatchObject({ status: 422, code: 'auth.captcha_required' });
    expect(forged).toMatchObject({ status: 422, code: 'auth.captcha_invalid' });
    expect(solved).toMatchObject({ status: 200, data: { expires_in: 300 } });
    expect(again).toMatchObject({ status: 422, code: 'auth.captcha_invalid' });
    expect((await phones.sendCode(newMobile(), 'login')).status).toBe(200);
  });

  test('leaves no code behind if the driver fails', async () => {
    const mobile = newMobile();
    const before = await phones.askCode(mobile, 'login');
    // No scene has a template, so the driver fails before it sends.
    const keys = { access_key: 'key', secret_key: 'secret', sign_name: '签名' };
    await saveSettings('sms', { driver: 'aliyun', ...keys });
    const failed = await phones.sendCode(mobile, 'login');
    await saveSettings('sms', { driver: '' });
    const late = await phones.logIn({ scene: 'sms', mobile, code: before });

    expect([failed, late].map(outcome)).toEqual(['502 sms.failed', '401 auth.code_invalid']);
  });
});

describe('register', () => {
  test('answers a login and a user with a masked mobile', async () => {
    const mobile = newMobile();

    const answer = await phones.register(mobile);

    expect(answer).toMatchObject({
      status: 200,
      data: { is_new: true, user: { mobile: mask(mobile), nickname: '', status: 'enabled' } },
    });
    const { token, user } = answer.data;
    expect((await info(token)).data).toEqual(user);
    const later = await phones.logIn({ scene: 'password', mobile, password });
    expect(later).toMatchObject({ status: 200, data: { is_new: false, user } });
  });

  test('twice at once creates one user and answers one 409', async () => {
    const mobile = newMobile();
    const code = await phones.askCode(mobile, 'register');

    const answers = await Promise.all([phones.register(mobile, code), phones.register(mobile, code)]);

    expect(answers.map(({ code }) => code).sort()).toEqual(['ok', 'user.mobile_exists']);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('reports a used mobile only for the correct code', async () => {
    const [known, unknown] = [newMobile(), newMobile()];
    await phones.register(known);
    const code = await phones.askCode(known, 'register');
    const unknownCode = await phones.askCode(unknown, 'register');

    const wrong = await phones.register(known, wrongCodeFor(code));
    const wrongUnknown = await phones.register(unknown, wrongCodeFor(unknownCode));
    const right = await phones.register(known, code);

    expect(wrong).toMatchObject({ status: 401, code: 'auth.code_invalid' });
    expect(gist(wrongUnknown)).toEqual(gist(wrong));
    expect(right).toMatchObject({ status: 409, code: 'user.mobile_exists' });
  });

  test('names every invalid field', async () => {
    const body = { terminal: 4, mobile: '1', code: '12345', password: 'short', extra: 1 };

    const answer = await client.post('/api/system/login/register', body);

    expect(outcome(answer)).toBe('422 request.invalid');
    const fields = Object.keys(body).map((name) => `body.${name}`);
    expect(paths(answer).sort()).toEqual(fields.sort());
  });
});

describe('a session of a user', () => {
  test('ends by logging out; other sessions continue', async () => {
    const mobile = newMobile();
    const first = (await phones.register(mobile)).data;
    const second = (await phones.logIn({ scene: 'password', mobile, password })).data;

    const loggedOut = await client.get('/api/system/login/logout', { token: first.token });

    expect(loggedOut).toMatchObject({ status: 200, data: null });
    expect(await info(first.token)).toMatchObject({ status: 401, code: 'auth.token_revoked' });
    expect((await info(second.token)).status).toBe(200);
  });

  test('is needed; a session of an administrator is not accepted, nor the other way round', async () => {
    const { token } = (await phones.register(newMobile())).data;

    const answers = [
      await client.get(infoPath),
      await info(admin.token),
      await client.get('/adminapi/system/admin/info', { token }),
      await client.get('/api/system/login/logout'),
    ];

    const [missing, mismatch] = ['401 auth.token_missing', '401 auth.principal_mismatch'];
    expect(answers.map(outcome)).toEqual([missing, mismatch, mismatch, missing]);
  });
});

test('login, register and sendCode are throttled', async () => {
  const answers = [
    await phones.logIn({ scene: 'password', mobile: newMobile(), password }),
    await phones.register(newMobile(), '000000'),
    await phones.sendCode(newMobile(), 'login'),
  ];

  const limits = answers.map(({ headers }) => headers.get('ratelimit-limit'));
  expect(limits).toEqual(['5000', '5000', '1000']);
});

test('the log holds no mobile, code, password or token', async () => {
  const mobile = newMobile();
  const code = await phones.askCode(mobile, 'login');
  const { token } = (await phones.logIn({ scene: 'sms', mobile, code })).data;
  await info(token);
  const last = await phones.logIn({ scene: 'password', mobile, password });

  const log = await server.prints(new RegExp(String(last.headers.get('x-request-id'))));

  for (const secret of [mobile, `"${code}"`, password, token]) expect(log).not.toContain(secret);
});

/** Solves a challenge and exchanges it for a single-use token. */
async function solveCaptcha(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  const payload = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  const checked = await client.post('/adminapi/system/login/checkCaptcha', { payload });
  return checked.data.captcha_token;
}
