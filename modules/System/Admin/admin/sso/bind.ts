import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { bindAccount } from '../../../sso/binding.ts';
import { ssoAnswer } from '../../../sso/schema.ts';

export default admin.post({
  summary: { zh_CN: '关联单点登录账号', en: 'Bind your account of the OpenID provider' },
  right: 'login',
  recentFactor: true,
  body: z.strictObject(ssoAnswer),
  target: 'admin:{adminId}',
  data: z.null(),
  middleware: ['throttle:password'],
  errors: ['auth.sso_invalid', 'sso.off', 'sso.bound', 'sso.provider_failed'],
  handler: ({ adminId, body }) => bindAccount(adminId, body),
});
