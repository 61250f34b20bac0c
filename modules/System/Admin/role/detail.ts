import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { getRole } from '../../roles/roles.ts';
import { roleData } from '../../roles/schema.ts';

export default admin.get({
  summary: { zh_CN: '角色详情', en: 'A role' },
  sensitive: true,
  query: z.object({ id: recordId }),
  data: roleData,
  errors: ['role.not_found'],
  prefetch: ({ query }) => getRole(query.id),
  handler: async ({ prefetched }) => prefetched,
});
