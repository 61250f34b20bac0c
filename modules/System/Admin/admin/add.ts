import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { addAdmin } from '../../admins/admins.ts';
import { account, adminData, adminName, avatar, password } from '../../admins/schema.ts';
import { assertNewPassword } from '../../public/new-password.ts';

export default admin.post({
  summary: { zh_CN: '新增管理员', en: 'Add an administrator' },
  sensitive: true,
  body: z.strictObject({ account, name: adminName, password, avatar: z.optional(avatar) }),
  data: adminData,
  errors: ['admin.account_exists'],
  handler: async ({ body }) => {
    await assertNewPassword(body.password, body.account);
    return addAdmin(body);
  },
});
