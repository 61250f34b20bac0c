import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { getAdmin } from '../../admins/admins.ts';
import { adminData } from '../../admins/schema.ts';

export default admin.get({
  summary: { zh_CN: '管理员详情', en: 'An administrator' },
  sensitive: true,
  query: z.object({ id: recordId }),
  data: adminData,
  errors: ['admin.not_found'],
  prefetch: ({ query }) => getAdmin(query.id),
  handler: async ({ prefetched }) => prefetched,
});
