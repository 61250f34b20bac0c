import * as z from 'zod/mini';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../../errors.ts';
import { accessTokensOf, type WechatAccount } from './access-tokens.ts';
import { callWechat, WechatError } from './call-wechat.ts';

export type Wechat = ReturnType<typeof createWechat>;

/** Invalid, of another app, blocked as risky, used, expired. */
const codeRefusals = [40029, 40226, 40163, 42003];
/** Replaced by a newer one, expired, malformed. */
const tokenRefusals = [40001, 42001, 40014];

const identity = z.object({
  openid: z.string().check(z.minLength(1)),
  is_snapshotuser: z.optional(z.number()),
});
const phone = z.object({
  phone_info: z.object({ purePhoneNumber: z.string(), countryCode: z.union([z.string(), z.number()]) }),
});

/**
 * Logins with WeChat. Session keys, tokens and secrets never leave this folder. Each method throws AppError
 * `auth.code_invalid` for a code that is invalid, expired, used or blocked, else `wechat.failed` with the cause.
 */
export function createWechat(account: WechatAccount, tokensOf = accessTokensOf) {
  const { baseUrl, appId, secret } = account;

  const exchange = async (path: string, query: Record<string, string>): Promise<string> => {
    const keys = { appid: appId, secret, grant_type: 'authorization_code' };
    const user = await callWechat({ baseUrl, path, query: { ...keys, ...query }, answer: identity });
    if (user.is_snapshotuser === 1)
      refuseCode(new WechatError('the virtual user of a snapshot page cannot log in'));
    return user.openid;
  };

  const askPhone = async (code: string) => {
    const tokens = tokensOf(account);
    const ask = (access_token: string) =>
      callWechat({
        baseUrl,
        path: '/wxa/business/getuserphonenumber',
        query: { access_token },
        body: { code },
        answer: phone,
      });
    const token = await tokens.get();
    return ask(token).catch(async (error: unknown) => {
      if (!hasErrcode(error, tokenRefusals)) throw error;
      return ask(await tokens.replace(token));
    });
  };

  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      if (!appId || !secret) throw new WechatError('the AppID or its secret is not set');
      return await work();
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      if (hasErrcode(cause, codeRefusals)) refuseCode(cause);
      throw systemErrors.create('wechat.failed', { cause });
    }
  };

  return {
    /** Mini-program: the open ID of a `wx.login` code's user. */
    codeToSession: (code: string) => guard(() => exchange('/sns/jscode2session', { js_code: code })),
    /** Official account: the open ID of the user who authorised the web page; not of a snapshot page. */
    oauthToOpenId: (code: string) => guard(() => exchange('/sns/oauth2/access_token', { code })),
    /** Mini-program: the mobile that the user shares, of mainland China; others cannot log in. */
    phoneNumber: (code: string) =>
      guard(async () => {
        const { purePhoneNumber: mobile, countryCode } = (await askPhone(code)).phone_info;
        const isMainland = String(countryCode) === '86' && /^1[3-9]\d{9}$/.test(mobile);
        if (!isMainland) refuseCode(new WechatError('the number is not a mobile of mainland China'));
        return mobile;
      }),
  };
}

function refuseCode(cause: unknown): never {
  throw systemErrors.create('auth.code_invalid', { cause });
}

function hasErrcode(error: unknown, errcodes: readonly number[]): boolean {
  return error instanceof WechatError && error.errcode !== undefined && errcodes.includes(error.errcode);
}
