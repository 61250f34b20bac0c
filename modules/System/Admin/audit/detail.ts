import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { getEntry } from '../../audit/list-entries.ts';
import { addTitle, auditData, auditId } from '../../audit/schema.ts';

export default admin.get({
  summary: { zh_CN: '审计记录详情', en: 'An entry of the audit log' },
  sensitive: true,
  query: z.object({ id: auditId }),
  data: auditData,
  needs: ['permissionTable'],
  errors: ['audit.not_found'],
  prefetch: ({ query }) => getEntry(query.id),
  handler: async ({ prefetched, ...context }) => addTitle(prefetched, context),
});
