import '../../../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createWechat } from '#modules/System/users/wechat/wechat.ts';
import { startWechat } from '../../../../../doubles/wechat.ts';
import { describeError, failureOf, startFixture, tokenKey, type WechatFixture } from './wechat-fixture.ts';

let fixture: WechatFixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.double.stop());

const minutes = 60_000;
/** A new code of a login in the mini-program. */
const newCode = () => fixture.double.issueLoginCode(fixture.app.appId, { openId: 'o-1' });
const codeInvalid = { code: 'auth.code_invalid', status: 401 };
const failed = { code: 'wechat.failed', status: 502 };

describe('codeToSession', () => {
  test('answers the open ID of the code, and no session key', async () => {
    const { app, double, connect } = fixture;
    const code = double.issueLoginCode(app.appId, { openId: 'o-1', unionId: 'u-1' });

    expect(await connect().codeToSession(code)).toBe('o-1');
    // It needs no access token.
    expect(double.calls['/cgi-bin/stable_token']).toBe(0);
    expect(fixture.cache.requests).toEqual([]);
  });

  test.each(['', 'unknown', '../&appid=x#', '汉字 %00'])(
    'refuses a code that WeChat never gave: "%s"',
    async (code) => {
      const error = await failureOf(fixture.connect().codeToSession(code));

      // An empty code is this service's mistake, not the user's.
      expect(error).toMatchObject(code === '' ? failed : codeInvalid);
    },
  );

  test.each([
    ['a wrong secret', { secret: 'wrong' }, 40125],
    ['an unknown app', { appId: 'wx0000' }, 40013],
  ])('fails with %s', async (_what, settings, errcode) => {
    const error = await failureOf(fixture.connect(settings).codeToSession(newCode()));

    expect(error).toMatchObject({ ...failed, cause: { errcode } });
  });

  test.each([
    [-1, failed],
    [40163, codeInvalid],
    [40226, codeInvalid],
    [42003, codeInvalid],
    [45011, failed],
    [99999, failed],
  ])('distinguishes errcode %i', async (errcode, expected) => {
    fixture.double.failNext('/sns/jscode2session', errcode);

    const error = await failureOf(fixture.connect().codeToSession(newCode()));

    expect(error).toMatchObject({ ...expected, cause: { errcode } });
  });
});

describe('oauthToOpenId', () => {
  test('answers the open ID of the user, and no token', async () => {
    const { app, double, connect } = fixture;
    const code = double.issueOauthCode(app.appId, { openId: 'o-2', unionId: 'u-2' });

    expect(await connect().oauthToOpenId(code)).toBe('o-2');
  });

  test('refuses a code that was used', async () => {
    const { app, double, connect } = fixture;
    const code = double.issueOauthCode(app.appId, { openId: 'o-2' });
    await connect().oauthToOpenId(code);

    expect(await failureOf(connect().oauthToOpenId(code))).toMatchObject(codeInvalid);
  });

  test('refuses a code of the mini-program', async () => {
    expect(await failureOf(fixture.connect().oauthToOpenId(newCode()))).toMatchObject(codeInvalid);
  });

  test('refuses the virtual user of a snapshot page', async () => {
    const { app, double, connect } = fixture;
    const code = double.issueOauthCode(app.appId, { openId: 'o-2', isSnapshot: true });

    expect(await failureOf(connect().oauthToOpenId(code))).toMatchObject(codeInvalid);
  });
});

describe('phoneNumber', () => {
  test.each(['86', 86])('answers a mobile of mainland China, country code %j', async (countryCode) => {
    const { app, double, connect } = fixture;
    const code = double.issuePhoneCode(app.appId, { mobile: '13800138000', countryCode });

    expect(await connect().phoneNumber(code)).toBe('13800138000');
  });

  test.each([
    ['Hong Kong', { mobile: '51234567', countryCode: '852' }],
    ['another country with a number of that form', { mobile: '13800138000', countryCode: '1' }],
    ['a landline', { mobile: '01062000000' }],
    ['an unassigned range', { mobile: '12800138000' }],
    ['too many digits', { mobile: '138001380000' }],
  ])('refuses a number that cannot log in: %s', async (_what, phone) => {
    const { app, double, connect } = fixture;

    const error = await failureOf(connect().phoneNumber(double.issuePhoneCode(app.appId, phone)));

    expect(error).toMatchObject(codeInvalid);
    expect(describeError(error)).not.toContain(phone.mobile);
  });

  test('refuses a code that is used, expired or unknown', async () => {
    const { app, double, connect, clock } = fixture;
    const wechat = connect();
    const [used, expired] = ['13800138000', '13800138001'].map((mobile) =>
      double.issuePhoneCode(app.appId, { mobile }),
    );
    await wechat.phoneNumber(used ?? '');
    clock.now += 5 * minutes;

    for (const code of [used, expired, 'unknown']) {
      expect(await failureOf(wechat.phoneNumber(code ?? ''))).toMatchObject({
        ...codeInvalid,
        cause: { errcode: 40029 },
      });
    }
  });

  test('asks for the number once if its code is refused', async () => {
    const { double, connect } = fixture;

    await failureOf(connect().phoneNumber('unknown'));

    expect(double.calls['/wxa/business/getuserphonenumber']).toBe(1);
  });
});

describe('settings', () => {
  test.each([
    ['AppID', { appId: '' }],
    ['secret', { secret: '' }],
  ])('without the %s fail without a call', async (_what, settings) => {
    const { double, connect } = fixture;

    expect(await failureOf(connect(settings).codeToSession('code'))).toMatchObject(failed);
    expect(double.calls['/sns/jscode2session']).toBe(0);
  });

  test('may have a base URL that ends with a slash', async () => {
    const { double, connect } = fixture;

    expect(await connect({ baseUrl: `${double.url}/` }).codeToSession(newCode())).toBe('o-1');
  });

  test('share one token between the clients of this process', async () => {
    const { app } = fixture;
    // No cache, as in every test that does not fake it; the clock is the real one.
    const double = await startWechat({ apps: [app] });
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const settings = { baseUrl: double.url, ...app };

    for (const mobile of ['13800138000', '13800138001', '13800138002']) {
      await createWechat(settings).phoneNumber(double.issuePhoneCode(app.appId, { mobile }));
    }
    await double.stop();
    warn.mockRestore();

    expect(double.calls['/cgi-bin/stable_token']).toBe(1);
  });
});

test('keeps the tokens of 16 accounts in this process', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
  const apps = Array.from({ length: 17 }, (_, index) => ({ appId: `wx-many-${index}`, secret: 'secret' }));
  const double = await startWechat({ apps });
  const ask = (app: { appId: string; secret: string }) =>
    createWechat({ baseUrl: double.url, ...app }).phoneNumber(
      double.issuePhoneCode(app.appId, { mobile: '13800138000' }),
    );

  for (const app of [...apps, ...apps.slice(-16), ...apps.slice(0, 1)]) await ask(app);
  await double.stop();
  warn.mockRestore();

  expect(double.calls['/cgi-bin/stable_token']).toBe(18);
});

test('keeps codes, tokens and secrets out of every failure', async () => {
  const { app, double, connect, cache } = fixture;
  const wechat = connect();
  await wechat.phoneNumber(double.issuePhoneCode(app.appId, { mobile: '13800138000' }));
  const { token } = JSON.parse(cache.values.get(tokenKey(app.appId)) ?? '');

  const errors = [
    await failureOf(wechat.codeToSession('login-code')),
    await failureOf(wechat.oauthToOpenId('oauth-code')),
    await failureOf(wechat.phoneNumber('phone-code')),
    await failureOf(connect({ appId: 'wx0000' }).codeToSession('login-code')),
  ];

  const shown = errors.map(describeError).join('\n');
  expect(shown).toMatch(/errcode 40029, rid [\w-]+/);
  for (const secret of [app.secret, token, 'login-code', 'oauth-code', 'phone-code']) {
    expect(shown).not.toContain(secret);
  }
});
