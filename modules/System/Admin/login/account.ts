import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { readOrigin } from '#shared/auth/origin.ts';
import { admin } from '#shared/http/route.ts';
import { secret } from '#shared/schema/marks.ts';
import { wellFormed } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { readStoredSettings } from '#shared/settings/store.ts';
import { findIndexedAdmin, startLogin } from '../../admins/admin-login.ts';
import { login } from '../../admins/settings.ts';
import { challengeData, loginData } from '../../factors/schema.ts';
import * as samples from '../../samples.ts';
import { captchaRequired, consumeCaptchaToken } from '../../site/captcha.ts';

// Only a length: answers to guesses must not reveal the rules of accounts and passwords.
const accountName = titled(
  { zh_CN: '账号', en: 'Account' },
  z.string().check(z.minLength(1), z.maxLength(128), wellFormed),
);

export default admin.openPost({
  summary: { zh_CN: '管理员登录', en: 'Log an administrator in' },
  body: z.strictObject({
    account: accountName,
    password: titled(
      { zh_CN: '密码', en: 'Password' },
      secret(z.string().check(z.minLength(1), z.maxLength(128))),
    ),
    captcha_token: titled(
      { zh_CN: '人机验证令牌', en: 'Captcha token' },
      z.optional(secret(z.string().check(z.maxLength(1024)))),
    ),
  }),
  data: z.union([loginData, challengeData]),
  middleware: ['throttle:admin-login'],
  audit: 'login',
  // Password hashing is expensive: a flood of logins must not take all capacity.
  limits: { concurrency: 20 },
  errors: [
    'auth.credentials_invalid',
    'auth.principal_disabled',
    'auth.captcha_required',
    'auth.captcha_invalid',
  ],
  reference: {
    issues: 'adminToken',
    errorData: { 'auth.captcha_required': captchaRequired },
    example: samples.adminLogin,
    description: {
      zh_CN: '管理员启用了两步验证，或设置要求启用时，返回 `challenge` 而不是 `token`。',
      en: 'Answers a `challenge` in place of the `token` if the administrator has a second factor, or needs one.',
    },
  },
  prefetch: ({ sent }) => {
    const { data: account } = z.safeParse(accountName, sent.account);
    return settleAll([readStoredSettings(login), account ? findIndexedAdmin(account) : undefined]);
  },
  handler: async ({ body, prefetched: [settings, indexed], request }) => {
    const { isUnderPressure, acceptCredential } = request;
    if (settings.captcha_enabled || isUnderPressure) await consumeCaptchaToken(body.captcha_token);
    const { account, password } = body;
    const mode = settings.two_factor;
    const origin = readOrigin(request);
    return startLogin({ account, password, origin, mode, accept: acceptCredential }, indexed);
  },
});
