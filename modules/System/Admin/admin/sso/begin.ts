import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { ownPassword } from '../../../admins/schema.ts';
import { beginBinding } from '../../../sso/binding.ts';
import { ssoBegun } from '../../../sso/schema.ts';

export default admin.post({
  summary: { zh_CN: '开始关联单点登录账号', en: 'Begin to bind your account of the OpenID provider' },
  right: 'login',
  recentFactor: true,
  body: z.strictObject({ password: ownPassword }),
  target: 'admin:{adminId}',
  data: ssoBegun,
  middleware: ['throttle:password'],
  errors: ['admin.not_found', 'sso.off', 'sso.bound', 'sso.provider_failed'],
  handler: ({ adminId, body: { password } }) => beginBinding(adminId, password),
});
