import * as z from 'zod/mini';
import { getAdminItem, setAdminPassword } from '#shared/auth/admins.ts';
import { verifyPassword } from '#shared/auth/password.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { admin } from '#shared/http/route.ts';
import { adminId, password } from '../../data/admin-schema.ts';

export default admin.post({
  summary: { zh_CN: '修改管理员密码', en: 'Set the password of an administrator' },
  body: z.strictObject({
    id: adminId,
    password,
    old_password: z.optional(z.string().check(z.maxLength(128))),
  }),
  data: z.null(),
  errors: ['admin.not_found'],
  handler: async ({ adminId, body: { id, password, old_password = '' } }) => {
    if (id === adminId) await checkOldPassword(id, old_password);
    await setAdminPassword(id, password);
    return null;
  },
});

async function checkOldPassword(id: string, password: string): Promise<void> {
  const { password_hash } = await getAdminItem(id);
  const { isValid } = await verifyPassword(password, String(password_hash));
  if (isValid) return;
  throw new AppError('request.invalid', {
    errors: [{ path: 'body.old_password', message: 'rule.old_password' }],
  });
}
