import * as z from 'zod/mini';
import { readOrigin } from '#shared/auth/origin.ts';
import { admin } from '#shared/http/route.ts';
import { challengeData, loginData } from '../../factors/schema.ts';
import { ssoAnswer } from '../../sso/schema.ts';
import { loginBySso } from '../../sso/sso-login.ts';

export default admin.openPost({
  summary: { zh_CN: '管理员单点登录', en: 'Log an administrator in by the OpenID provider' },
  body: z.strictObject(ssoAnswer),
  data: z.union([loginData, challengeData]),
  middleware: ['throttle:sso'],
  limits: { concurrency: 20 },
  audit: 'login',
  errors: [
    'auth.sso_invalid',
    'auth.sso_unknown',
    'auth.principal_disabled',
    'sso.off',
    'sso.provider_failed',
  ],
  reference: { issues: 'adminToken' },
  handler: ({ body, request }) => loginBySso(body, readOrigin(request)),
});
