import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { getRole } from '../../roles/roles.ts';
import { roleData, roleId } from '../../roles/schema.ts';

export default admin.get({
  summary: { zh_CN: '角色详情', en: 'A role' },
  sensitive: true,
  query: z.object({ id: roleId }),
  data: roleData,
  errors: ['role.not_found'],
  prefetch: ({ query }) => getRole(query.id),
  handler: async ({ prefetched }) => prefetched,
});
