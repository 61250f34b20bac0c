import { randomBytes } from 'node:crypto';
import type { DoubleRequest } from './serve.ts';
import { type Redeemed, WechatCodes } from './wechat-codes.ts';
import type { WechatPhone, WechatRules, WechatUser } from './wechat-rules.ts';
import { WechatTokens } from './wechat-tokens.ts';

/** A refusal by its errcode, or the fields of a good answer. */
export type WechatOutcome = number | Record<string, unknown>;

/** The operations of WeChat's HTTP API by method and path. */
export function createWechatOperations({
  apps,
  now,
  tokenSeconds,
  codeSeconds,
  loginsPerMinute,
}: WechatRules) {
  const tokens = new WechatTokens(tokenSeconds, now);
  const loginCodes = new WechatCodes<WechatUser>(codeSeconds, now);
  const phoneCodes = new WechatCodes<WechatPhone>(codeSeconds, now);
  const oauthCodes = new WechatCodes<WechatUser>(codeSeconds, now);
  const logins = new Map<string, number>();

  function checkApp(given: URLSearchParams, grantType: string): number {
    const [appId, secret] = [given.get('appid'), given.get('secret')];
    if (!appId) return 41002;
    if (!secret) return 41004;
    if (given.get('grant_type') !== grantType) return 40002;
    const app = apps.find((each) => each.appId === appId);
    if (!app) return 40013;
    return app.secret === secret ? 0 : 40125;
  }

  function redeem(codes: WechatCodes<WechatUser>, given: URLSearchParams, name: string): WechatUser | number {
    const refused = checkApp(given, 'authorization_code');
    if (refused) return refused;
    const code = given.get(name);
    if (!code) return 41008;
    const redeemed: Redeemed<WechatUser> = codes.redeem(given.get('appid') ?? '', code);
    if (redeemed === 'used') return 40163;
    return typeof redeemed === 'string' ? 40029 : redeemed;
  }

  function logIn(given: URLSearchParams): WechatOutcome {
    const user = redeem(loginCodes, given, 'js_code');
    if (typeof user === 'number') return user;
    const slot = `${user.openId} ${Math.floor(now() / 60_000)}`;
    logins.set(slot, (logins.get(slot) ?? 0) + 1);
    if ((logins.get(slot) ?? 0) > loginsPerMinute) return 45011;
    const session = { session_key: randomBytes(16).toString('base64'), openid: user.openId };
    return { ...session, ...(user.unionId && { unionid: user.unionId }) };
  }

  function authorise(given: URLSearchParams): WechatOutcome {
    const user = redeem(oauthCodes, given, 'code');
    if (typeof user === 'number') return user;
    const secrets = {
      access_token: randomBytes(32).toString('hex'),
      refresh_token: randomBytes(32).toString('hex'),
    };
    return {
      ...secrets,
      expires_in: 7200,
      openid: user.openId,
      scope: user.unionId ? 'snsapi_userinfo' : 'snsapi_base',
      ...(user.unionId && { unionid: user.unionId }),
      ...(user.isSnapshot && { is_snapshotuser: 1 }),
    };
  }

  function tellPhone(given: URLSearchParams, body: Record<string, unknown>): WechatOutcome {
    const appId = tokens.check(given.get('access_token') ?? '');
    if (typeof appId === 'number') return appId;
    if (typeof body.code !== 'string' || !body.code) return 41008;
    const phone = phoneCodes.redeem(appId, body.code);
    if (typeof phone === 'string') return phone === 'other app' ? 40013 : 40029;
    const { mobile, countryCode = '86' } = phone;
    const phoneNumber = String(countryCode) === '86' ? mobile : `+${countryCode}${mobile}`;
    const watermark = { timestamp: Math.floor(now() / 1000), appid: appId };
    return {
      errcode: 0,
      errmsg: 'ok',
      phone_info: { phoneNumber, purePhoneNumber: mobile, countryCode, watermark },
    };
  }

  function issueStable(_given: URLSearchParams, body: Record<string, unknown>): WechatOutcome {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries(body)) given.set(name, String(value));
    const refused = checkApp(given, 'client_credential');
    if (refused) return refused;
    const { token, expiresIn } = tokens.issueStable(given.get('appid') ?? '', body.force_refresh === true);
    return { access_token: token, expires_in: expiresIn };
  }

  function issuePlain(given: URLSearchParams): WechatOutcome {
    const refused = checkApp(given, 'client_credential');
    if (refused) return refused;
    const { token, expiresIn } = tokens.issuePlain(given.get('appid') ?? '');
    return { access_token: token, expires_in: expiresIn };
  }

  const operations: Record<string, (given: URLSearchParams, body: Record<string, unknown>) => WechatOutcome> =
    {
      'GET /sns/jscode2session': logIn,
      'GET /sns/oauth2/access_token': authorise,
      'POST /wxa/business/getuserphonenumber': tellPhone,
      'POST /cgi-bin/stable_token': issueStable,
      'GET /cgi-bin/token': issuePlain,
    };

  return {
    tokens,
    loginCodes,
    phoneCodes,
    oauthCodes,
    /** Returns undefined for an unknown operation. */
    run({ method, path, query, body }: DoubleRequest): WechatOutcome | undefined {
      const parsed: Record<string, unknown> = method === 'POST' ? JSON.parse(body) : {};
      return operations[`${method} ${path}`]?.(new URLSearchParams(query), parsed);
    },
  };
}
