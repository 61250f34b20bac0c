import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { setAdminRoles } from '../../admins/admins.ts';
import { adminData, assignedRoles, isSuper } from '../../admins/schema.ts';
import systemErrors from '../../errors.ts';
import { holdsAll } from '../../roles/rights.ts';
import * as samples from '../../samples.ts';

export default admin.post({
  summary: { zh_CN: '设置管理员的角色', en: 'Set the roles of an administrator' },
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({
    id: recordId,
    role_ids: assignedRoles,
    super: z.optional(isSuper),
  }),
  data: adminData,
  needs: ['permissions'],
  reference: { example: samples.adminRoles },
  errors: [
    'admin.not_found',
    'admin.self',
    'admin.last_super',
    'role.not_found',
    'role.exceeds',
    'version_conflict',
  ],
  handler: async ({ adminId, admin: caller, body, permissions }) => {
    if (body.id === adminId) throw systemErrors.create('admin.self');
    const role_ids = [...new Set(body.role_ids)];
    const check = holdsAll(caller, permissions);
    await check?.({ role_ids, super: body.super ?? false });
    return setAdminRoles(body.id, role_ids, body.super, check);
  },
});
