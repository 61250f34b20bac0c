import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { assertCovering, assertHolds } from '../../roles/rights.ts';
import { addRole } from '../../roles/roles.ts';
import { grants, roleData, roleName, roleRemark } from '../../roles/schema.ts';
import * as samples from '../../samples.ts';

export default admin.post({
  summary: { zh_CN: '新增角色', en: 'Add a role' },
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({ name: roleName, remark: z.optional(roleRemark), grants }),
  data: roleData,
  needs: ['permissions'],
  reference: { example: samples.roleAdd },
  errors: ['role.exceeds'],
  handler: async ({ admin, body, permissions }) => {
    assertCovering(body.grants, permissions);
    assertHolds(admin, { super: false, grants: body.grants }, permissions);
    return addRole(body);
  },
});
