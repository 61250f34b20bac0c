import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { editAdmin } from '../../admins/admins.ts';
import { adminData, adminName, avatar, status } from '../../admins/schema.ts';
import systemErrors from '../../errors.ts';
import { holdsAll } from '../../roles/rights.ts';

export default admin.post({
  summary: { zh_CN: '编辑管理员', en: 'Edit an administrator' },
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({
    id: recordId,
    name: z.optional(adminName),
    avatar: z.optional(avatar),
    status: z.optional(status),
  }),
  data: adminData,
  errors: ['admin.not_found', 'admin.self', 'admin.last_super', 'role.exceeds', 'version_conflict'],
  needs: ['permissions'],
  handler: async ({ adminId, admin: caller, body: { id, ...changes }, permissions }) => {
    if (id === adminId && changes.status === 'disabled') throw systemErrors.create('admin.self');
    return editAdmin(id, changes, holdsAll(caller, permissions));
  },
});
