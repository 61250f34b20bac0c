import { settleAll } from '#shared/async/settle-all.ts';
import { readOrigin } from '#shared/auth/origin.ts';
import { api } from '#shared/http/route.ts';
import { readSettings } from '#shared/settings/store.ts';
import * as samples from '../../samples.ts';
import { captchaRequired, consumeCaptchaToken } from '../../site/captcha.ts';
import { logInUser, loginBody } from '../../users/login.ts';
import { prefetchCode, prefetchUser } from '../../users/prefetch.ts';
import { loginData } from '../../users/schema.ts';
import { wechat } from '../../users/wechat/settings.ts';

export default api.openPost({
  summary: { zh_CN: '用户登录', en: 'Log a user in' },
  body: loginBody,
  data: loginData,
  middleware: ['throttle:user-login'],
  // Password hashing is expensive: a flood of logins must not take all capacity.
  limits: { concurrency: 50 },
  errors: [
    'auth.credentials_invalid',
    'auth.code_invalid',
    'auth.principal_disabled',
    'auth.captcha_required',
    'auth.captcha_invalid',
    'version_conflict',
    'wechat.failed',
  ],
  reference: {
    issues: 'userToken',
    description: {
      zh_CN:
        '`scene` 决定登录方式和所需字段。该手机号失败过多时返回 `auth.captcha_required` 和题目；请完成后带 `captcha_token` 重试。',
      en: '`scene` selects the login method and its required fields. After many failures for the mobile, `auth.captcha_required` carries the captcha to solve; try again with a `captcha_token`.',
    },
    errorData: { 'auth.captcha_required': captchaRequired },
    example: samples.userLogin,
  },
  prefetch: ({ sent: { scene, mobile } }) =>
    settleAll([
      readSettings(wechat),
      scene === 'password' ? prefetchUser(mobile) : undefined,
      scene === 'sms' ? prefetchCode(mobile, 'login') : undefined,
    ]),
  handler: async ({ body, prefetched: [settings, user, code], request }) => {
    if (request.isUnderPressure) await consumeCaptchaToken(body.captcha_token);
    return logInUser(body, settings, user ?? code, {
      ...readOrigin(request),
      accept: request.acceptCredential,
    });
  },
});
