import * as z from 'zod/mini';
import { version } from '#shared/dict/schema.ts';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import systemErrors from '../../errors.ts';
import { assertCovering, assertHolds } from '../../roles/rights.ts';
import { editRole, getRole } from '../../roles/roles.ts';
import { grants, roleData, roleName, roleRemark } from '../../roles/schema.ts';

export default admin.post({
  summary: { zh_CN: '编辑角色', en: 'Edit a role' },
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({
    id: recordId,
    name: z.optional(roleName),
    remark: z.optional(roleRemark),
    grants: z.optional(grants),
    version,
  }),
  data: roleData,
  needs: ['permissions'],
  errors: ['admin.self', 'role.not_found', 'role.exceeds', 'version_conflict'],
  handler: async ({ admin, body: { id, version, ...changes }, permissions }) => {
    const { grants = [] } = changes;
    assertCovering(grants, permissions);
    // A right that was only lent would stay. The rights of a super administrator come from no role.
    if (!admin.super && admin.role_ids.includes(id)) throw systemErrors.create('admin.self');
    const role = await getRole(id);
    // Its holders lose what is taken away, so the caller must hold the old grants too.
    assertHolds(admin, { super: false, grants: [...role.grants, ...grants] }, permissions);
    return editRole(role, version, changes);
  },
});
