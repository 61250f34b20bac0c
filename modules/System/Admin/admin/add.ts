import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { addAdmin } from '../../admins/admins.ts';
import {
  account,
  adminData,
  adminName,
  assignedRoles,
  avatar,
  isSuper,
  password,
} from '../../admins/schema.ts';
import { assertNewPassword } from '../../public/new-password.ts';
import { holdsAll } from '../../roles/rights.ts';

export default admin.post({
  summary: { zh_CN: '新增管理员', en: 'Add an administrator' },
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({
    account,
    name: adminName,
    password,
    avatar: z.optional(avatar),
    role_ids: z.optional(assignedRoles),
    super: z.optional(isSuper),
  }),
  data: adminData,
  needs: ['permissions'],
  errors: ['admin.account_exists', 'role.not_found', 'role.exceeds'],
  handler: async ({ admin: caller, body, permissions }) => {
    const { role_ids = [], super: isSuper = false, ...given } = body;
    const roleIds = [...new Set(role_ids)];
    await holdsAll(caller, permissions)?.({ role_ids: roleIds, super: isSuper });
    await assertNewPassword(body.password, body.account);
    return addAdmin({ ...given, isSuper, roleIds });
  },
});
