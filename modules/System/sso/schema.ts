import * as z from 'zod/mini';
import { secret } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';

const token = (max: number) => secret(z.string().check(z.minLength(1), z.maxLength(max)));

/** The answer that begins a login at the provider. */
export const ssoBegun = z.strictObject({
  url: titled({ zh_CN: '登录地址', en: 'Address of the login' }, z.string()),
  flow: titled({ zh_CN: '登录凭据', en: 'Flow' }, z.string()),
});

/** What the console brings back from the provider. */
export const ssoAnswer = {
  flow: titled({ zh_CN: '登录凭据', en: 'Flow' }, token(2048)),
  state: titled({ zh_CN: '状态', en: 'State' }, token(256)),
  code: titled({ zh_CN: '授权码', en: 'Code' }, z.optional(token(4096))),
  iss: titled({ zh_CN: '签发者', en: 'Issuer' }, z.optional(z.string().check(z.maxLength(300)))),
  error: titled({ zh_CN: '错误', en: 'Error' }, z.optional(z.string().check(z.maxLength(100)))),
};
