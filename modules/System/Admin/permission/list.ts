import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { createPermissionTree, permissionNode } from '../../roles/permission-tree.ts';

export default admin.get({
  summary: { zh_CN: '权限列表', en: 'List the permissions' },
  data: z.array(permissionNode),
  needs: ['permissionTable'],
  handler: async ({ permissionTable, locale }) => createPermissionTree(permissionTable, locale),
});
