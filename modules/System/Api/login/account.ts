import { settleAll } from '#shared/async/settle-all.ts';
import { api } from '#shared/http/route.ts';
import { readSettings } from '#shared/settings/store.ts';
import * as samples from '../../samples.ts';
import { readCodeEarly, readUserEarly } from '../../users/early-reads.ts';
import { logInUser } from '../../users/login.ts';
import { loginBody } from '../../users/login-schema.ts';
import { loginData } from '../../users/schema.ts';
import { wechat } from '../../users/wechat/settings.ts';

export default api.openPost({
  summary: { zh_CN: '用户登录', en: 'Log a user in' },
  body: loginBody,
  data: loginData,
  middleware: ['throttle:user-login'],
  // Hashing a password costs much: a flood of logins leaves room for other routes.
  limits: { concurrency: 50 },
  errors: [
    'auth.credentials_invalid',
    'auth.code_invalid',
    'auth.principal_disabled',
    'version_conflict',
    'wechat.failed',
  ],
  reference: {
    description: {
      zh_CN: '`scene` 决定登录方式和所需字段。',
      en: '`scene` chooses the way to log in, and the fields that it takes.',
    },
    example: samples.userLogin,
  },
  prefetch: (_query, { scene, mobile }) =>
    settleAll([
      readSettings(wechat),
      scene === 'password' ? readUserEarly(mobile) : undefined,
      scene === 'sms' ? readCodeEarly(mobile, 'login') : undefined,
    ]),
  handler: ({ body, prefetched: [settings, ofUser, ofCode] }) => logInUser(body, settings, ofUser ?? ofCode),
});
