import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { ownPassword } from '../../../admins/schema.ts';
import { unbindAccount } from '../../../sso/binding.ts';

export default admin.post({
  summary: { zh_CN: '解除单点登录账号关联', en: 'Remove the binding to your account of the OpenID provider' },
  right: 'login',
  recentFactor: true,
  body: z.strictObject({ password: ownPassword }),
  target: 'admin:{adminId}',
  data: z.null(),
  middleware: ['throttle:password'],
  errors: ['admin.not_found', 'sso.needs_password', 'sso.not_bound', 'version_conflict'],
  handler: ({ adminId, body: { password } }) => unbindAccount(adminId, password),
});
