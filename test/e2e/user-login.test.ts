import { beforeAll, describe, expect, test } from '@jest/globals';
import { startWechat } from '../doubles/wechat.ts';
import { gist, outcome, paths } from '../support/answers.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { createPhones, loginPath, newMobile, password, wrongCodeFor } from './user-fixture.ts';

const mini = { appId: 'wx-mini', secret: 'mini-secret' };
const official = { appId: 'wx-official', secret: 'official-secret' };

const wechat = useRunning(() => startWechat({ apps: [mini, official] }));
const { server, client, admin, saveSettings } = useServer({ environment: { THROTTLE_FACTOR: '1000' } });
const phones = createPhones(server, client);

const configureWechat = () =>
  saveSettings('wechat', {
    base_url: wechat.url,
    ...{ mini_app_id: mini.appId, mini_secret: mini.secret },
    ...{ official_app_id: official.appId, official_secret: official.secret },
  });

describe('the body of a login', () => {
  const mobile = '13800000000';
  const complete = { mobile, password, code: '000000', authPhoneCode: 'unknown', loginCode: 'unknown' };

  test.each([
    ['phone_auth', 2],
    ['phone_auth', 3],
    ['silent', 3],
  ])('has no scene %s on terminal %d', async (scene, terminal) => {
    const answer = await phones.logIn({ ...complete, scene, terminal });

    expect([outcome(answer), paths(answer)]).toEqual(['422 request.invalid', ['body.scene']]);
  });

  test.each([
    ['password', ['body.mobile', 'body.password']],
    ['sms', ['body.mobile', 'body.code']],
    ['phone_auth', ['body.authPhoneCode']],
    ['silent', ['body.loginCode']],
  ])('of the scene %s needs %j', async (scene, needed) => {
    const answer = await phones.logIn({ scene, terminal: 1 });

    expect([outcome(answer), paths(answer)]).toEqual(['422 request.invalid', needed]);
  });

  test.each([
    [{ terminal: 0, scene: 'password' }, 'body.terminal'],
    [{ terminal: '4', scene: 'password' }, 'body.terminal'],
    [{ terminal: '1.0', scene: 'password' }, 'body.terminal'],
    [{ terminal: undefined, scene: 'password' }, 'body.terminal'],
    [{ terminal: 1, scene: 'magic' }, 'body.scene'],
    [{ terminal: 1 }, 'body.scene'],
    [{ terminal: 1, scene: 'sms', mobile: '138' }, 'body.mobile'],
    [{ terminal: 1, scene: 'sms', code: '12345a' }, 'body.code'],
    [{ terminal: 1, scene: 'sms', code: 123456 }, 'body.code'],
    [{ terminal: 1, scene: 'silent', login_code: 'x' }, 'body.login_code'],
  ])('is refused: %j', async (fields, path) => {
    const answer = await phones.logIn({ ...complete, ...fields });

    expect(answer).toMatchObject({ status: 422, code: 'request.invalid', errors: [{ path }] });
  });

  test('gets its errors in the language of the caller', async () => {
    const body = { terminal: 3, scene: 'silent', loginCode: 'x' };

    expect((await client.post(loginPath, body, { headers: { 'x-language': 'en' } })).errors).toEqual([
      { path: 'body.scene', message: 'The login scene silent is not available on this terminal' },
    ]);
  });
});

describe('login by password', () => {
  test('accepts the terminal as a number and as a string', async () => {
    const mobile = newMobile();
    await phones.register(mobile);

    for (const terminal of [1, 2, 3, '1', '2', '3']) {
      const answer = await phones.logIn({ terminal, scene: 'password', mobile, password });
      expect(answer).toMatchObject({ status: 200, data: { is_new: false } });
    }
  });

  test('answers an unknown mobile, a user without password and a wrong password the same', async () => {
    const [known, bare] = [newMobile(), newMobile()];
    await phones.register(known);
    await phones.logIn({ scene: 'sms', mobile: bare, code: await phones.askCode(bare, 'login') });

    const wrong = await phones.logIn({ scene: 'password', mobile: known, password: 'wrong password' });
    const others = [
      await phones.logIn({ scene: 'password', mobile: newMobile(), password: 'wrong password' }),
      await phones.logIn({ scene: 'password', mobile: bare, password: 'wrong password' }),
    ];

    expect(wrong).toMatchObject({ status: 401, code: 'auth.credentials_invalid', data: null });
    expect(others.map(gist)).toEqual([gist(wrong), gist(wrong)]);
  });

  test('reports a disabled user only for the correct password', async () => {
    const mobile = newMobile();
    const { user } = (await phones.register(mobile)).data;
    const body = { id: user.id, status: 'disabled' };
    await admin.post('/adminapi/user-center/user/status', body);

    const wrong = await phones.logIn({ scene: 'password', mobile, password: 'wrong password' });
    const right = await phones.logIn({ scene: 'password', mobile, password });

    expect(wrong).toMatchObject({ status: 401, code: 'auth.credentials_invalid' });
    expect(right).toMatchObject({ status: 401, code: 'auth.principal_disabled' });
  });
});

describe('login by SMS', () => {
  const bySms = (mobile: string, code: string) => phones.logIn({ scene: 'sms', mobile, code });

  test('accepts a code once, for its scene and its mobile', async () => {
    const mobile = newMobile();
    const code = await phones.askCode(mobile, 'login');
    const registerCode = await phones.askCode(mobile, 'register');

    const answers = [
      await bySms(mobile, registerCode === code ? wrongCodeFor(code) : registerCode),
      await bySms(newMobile(), code),
      await bySms(mobile, code),
      await bySms(mobile, code),
    ];

    const invalid = '401 auth.code_invalid';
    expect(answers.map(outcome)).toEqual([invalid, invalid, '200 ok', invalid]);
  });

  test('answers a wrong code for a known and an unknown mobile the same', async () => {
    const [known, unknown] = [newMobile(), newMobile()];
    await phones.register(known);
    const codes = [await phones.askCode(known, 'login'), await phones.askCode(unknown, 'login')] as const;

    const answers = [
      await bySms(known, wrongCodeFor(codes[0])),
      await bySms(unknown, wrongCodeFor(codes[1])),
      await bySms(newMobile(), '123456'),
    ];

    expect(answers[0]).toMatchObject({ status: 401, code: 'auth.code_invalid', data: null });
    expect(new Set(answers.map((answer) => JSON.stringify(gist(answer)))).size).toBe(1);
  });

  test('voids a code after the fifth wrong try', async () => {
    const [patient, hasty] = [newMobile(), newMobile()];
    const codes = [await phones.askCode(patient, 'login'), await phones.askCode(hasty, 'login')] as const;
    for (let index = 0; index < 4; index += 1) await bySms(patient, wrongCodeFor(codes[0]));
    for (let index = 0; index < 5; index += 1) await bySms(hasty, wrongCodeFor(codes[1]));

    expect((await bySms(patient, codes[0])).status).toBe(200);
    expect(await bySms(hasty, codes[1])).toMatchObject({ status: 401, code: 'auth.code_invalid' });
  });
});

describe('login by WeChat', () => {
  const silently = (openId: string) =>
    phones.logIn({ terminal: 1, scene: 'silent', loginCode: wechat.issueLoginCode(mini.appId, { openId }) });

  test('fails while WeChat is not configured', async () => {
    const answers = [
      await phones.logIn({ terminal: 1, scene: 'silent', loginCode: 'x' }),
      await phones.logIn({ terminal: 2, scene: 'silent', loginCode: 'x' }),
      await phones.logIn({ terminal: 1, scene: 'phone_auth', authPhoneCode: 'x' }),
    ];

    expect(answers.map(outcome)).toEqual(Array(3).fill('502 wechat.failed'));
  });

  describe('once it is configured', () => {
    beforeAll(configureWechat);

    test('of the official account is separate', async () => {
      const loginCode = wechat.issueOauthCode(official.appId, { openId: 'o-page' });

      const page = await phones.logIn({ terminal: 2, scene: 'silent', loginCode });
      const program = await silently('o-page');

      expect(page).toMatchObject({ status: 200, data: { is_new: true } });
      expect(program.data.user.id).not.toBe(page.data.user.id);
    });

    test('by phone authorisation finds the user of the mobile, and binds the open ID', async () => {
      const mobile = newMobile();
      const { user } = (await phones.register(mobile)).data;

      const answer = await phones.logIn({
        terminal: '1',
        scene: 'phone_auth',
        authPhoneCode: wechat.issuePhoneCode(mini.appId, { mobile }),
        loginCode: wechat.issueLoginCode(mini.appId, { openId: 'o-bound' }),
      });

      expect(answer.data).toMatchObject({ is_new: false, user });
      expect((await silently('o-bound')).data.user).toEqual(user);
    });

    test('refuses a used code, and reports a failure of WeChat', async () => {
      const loginCode = wechat.issueLoginCode(mini.appId, { openId: 'o-once' });
      await phones.logIn({ terminal: 1, scene: 'silent', loginCode });

      const used = await phones.logIn({ terminal: 1, scene: 'silent', loginCode });
      wechat.failNext('/sns/jscode2session', -1);
      const failed = await silently('o-once');

      expect(used).toMatchObject({ status: 401, code: 'auth.code_invalid' });
      expect(failed).toMatchObject({ status: 502, code: 'wechat.failed', data: null });
      expect(failed.text).not.toMatch(/errcode|rid|weixin/);
    });
  });
});
