import * as z from 'zod/mini';
import { addAdmin } from '#shared/auth/admins.ts';
import { admin } from '#shared/http/route.ts';
import { account, adminData, adminName, avatar, password } from '../../data/admin-schema.ts';

export default admin.post({
  summary: { zh_CN: '新增管理员', en: 'Add an administrator' },
  body: z.strictObject({ account, name: adminName, password, avatar: z.optional(avatar) }),
  data: adminData,
  errors: ['admin.account_exists'],
  handler: ({ body }) => addAdmin(body),
});
