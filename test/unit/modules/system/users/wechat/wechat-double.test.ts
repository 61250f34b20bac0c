import '../../../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { requestJson } from '#shared/net/request-json.ts';
import { startFixture, type WechatFixture } from './wechat-fixture.ts';

// Checks of the double without the client: a double that accepts everything proves nothing.

let fixture: WechatFixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.double.stop());

const minutes = 60_000;
type Fields = Record<string, unknown>;
const get = async (path: string, query: Record<string, string>) =>
  (await requestJson({ url: `${fixture.double.url}${path}?${new URLSearchParams(query)}` })).body as Fields;
const post = async (path: string, body: Fields) =>
  (await requestJson({ url: `${fixture.double.url}${path}`, method: 'POST', body: JSON.stringify(body) }))
    .body as Fields;

const account = () => ({
  appid: fixture.app.appId,
  secret: fixture.app.secret,
  grant_type: 'client_credential',
});
const stableToken = (more: Fields = {}) => post('/cgi-bin/stable_token', { ...account(), ...more });
const plainToken = () => get('/cgi-bin/token', account());
const askPhone = (token: unknown, code = 'unknown') =>
  post(`/wxa/business/getuserphonenumber?${new URLSearchParams({ access_token: String(token) })}`, { code });

describe('access tokens', () => {
  test('are the same until five minutes before their end', async () => {
    const first = await stableToken();
    fixture.clock.now += 7200_000 - 5 * minutes - 1;
    const second = await stableToken();
    fixture.clock.now += 1;
    const third = await stableToken();

    expect(first).toEqual({ access_token: expect.any(String), expires_in: 7200 });
    expect(second.access_token).toBe(first.access_token);
    expect(third.access_token).not.toBe(first.access_token);
    expect([await askPhone(first.access_token), await askPhone(third.access_token)]).toMatchObject([
      { errcode: 40029 },
      { errcode: 40029 },
    ]);
  });

  test('are voided by a forced refresh', async () => {
    const first = await stableToken();
    const second = await stableToken({ force_refresh: true });

    expect(await askPhone(first.access_token)).toMatchObject({ errcode: 40001 });
    expect(await askPhone(second.access_token)).toMatchObject({ errcode: 40029 });
  });

  test('of the other kind are voided by the next one, but not by a stable one', async () => {
    const first = await plainToken();
    const stable = await stableToken();
    const second = await plainToken();

    expect(await askPhone(first.access_token)).toMatchObject({ errcode: 40001 });
    expect(await askPhone(second.access_token)).toMatchObject({ errcode: 40029 });
    expect(await askPhone(stable.access_token)).toMatchObject({ errcode: 40029 });
  });

  test('expire', async () => {
    const { access_token } = await stableToken();
    fixture.clock.now += 7200_000;

    expect(await askPhone(access_token)).toMatchObject({ errcode: 42001 });
  });

  test.each([
    ['', 41001],
    ['short', 40014],
    ['a-token-that-was-never-given', 40001],
  ])('are refused when they are "%s"', async (token, errcode) => {
    expect(await askPhone(token)).toMatchObject({ errcode });
  });

  test.each([
    ['appid', '', 41002],
    ['secret', '', 41004],
    ['grant_type', 'password', 40002],
    ['appid', 'wx0000', 40013],
    ['secret', 'wrong', 40125],
  ])('are not given for the %s "%s"', async (name, value, errcode) => {
    expect(await stableToken({ [name]: value })).toMatchObject({ errcode });
    expect(await get('/cgi-bin/token', { ...account(), [name]: value })).toMatchObject({ errcode });
  });
});

test('a session holds a key, and a refusal quotes the request and has an ID', async () => {
  const { app, double } = fixture;
  const query = { appid: app.appId, secret: app.secret, grant_type: 'authorization_code' };
  const code = double.issueLoginCode(app.appId, { openId: 'o-1' });

  const session = await get('/sns/jscode2session', { ...query, js_code: code });
  const refusal = await get('/sns/jscode2session', { ...query, js_code: code });

  expect(session).toEqual({ openid: 'o-1', session_key: expect.any(String) });
  expect(refusal.errmsg).toMatch(/^code been used \[.*secret=.*\] rid: [\da-f]{8}-[\da-f]{8}-[\da-f]{8}$/);
  expect(double.calls['/sns/jscode2session']).toBe(2);
});

test('a phone code is valid for its app only', async () => {
  const { double } = fixture;
  const { access_token } = await stableToken();
  const code = double.issuePhoneCode('wx-another', { mobile: '13800138000' });

  expect(await askPhone(access_token, code)).toMatchObject({ errcode: 40013 });
});
