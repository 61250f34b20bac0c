import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { assertHolds } from '../../roles/rights.ts';
import { deleteRole, getRole } from '../../roles/roles.ts';

export default admin.post({
  summary: { zh_CN: '删除角色', en: 'Delete a role' },
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({ id: recordId }),
  data: z.null(),
  needs: ['permissions'],
  errors: ['role.not_found', 'role.exceeds', 'role.in_use', 'version_conflict'],
  handler: async ({ admin, body: { id }, permissions }) => {
    const role = await getRole(id);
    assertHolds(admin, { super: false, grants: role.grants }, permissions);
    await deleteRole(id, role);
  },
});
