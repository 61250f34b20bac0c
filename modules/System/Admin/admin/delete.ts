import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { deleteAdmin } from '../../admins/admins.ts';
import systemErrors from '../../errors.ts';
import { holdsAll } from '../../roles/rights.ts';

export default admin.post({
  summary: { zh_CN: '删除管理员', en: 'Delete an administrator' },
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({ id: recordId }),
  data: z.null(),
  errors: ['admin.not_found', 'admin.self', 'admin.last_super', 'role.exceeds', 'version_conflict'],
  needs: ['permissions'],
  handler: async ({ adminId, admin: caller, body: { id }, permissions }) => {
    if (id === adminId) throw systemErrors.create('admin.self');
    await deleteAdmin(id, holdsAll(caller, permissions));
  },
});
