import * as z from 'zod/mini';
import { password } from '#modules/System/public/user-schema.ts';
import { api } from '#shared/http/route.ts';
import { changePassword } from '../../users/change-password.ts';

export default api.post({
  summary: { zh_CN: '修改密码', en: 'Change the password' },
  body: z.strictObject({ old_password: z.optional(z.string().check(z.maxLength(128))), password }),
  data: z.null(),
  middleware: ['throttle:password'],
  errors: ['user.not_found', 'version_conflict'],
  handler: ({ userId, sessionId, body: { password, old_password: oldPassword } }) =>
    changePassword(userId, { password, oldPassword, sessionId }),
});
