import { admin } from '#shared/http/route.ts';
import { cursorListOf } from '#shared/schema/list.ts';
import { listEntries } from '../../audit/list-entries.ts';
import { addTitle, auditData, auditQuery } from '../../audit/schema.ts';

export default admin.get({
  summary: { zh_CN: '审计日志列表', en: 'List the audit log' },
  sensitive: true,
  query: auditQuery,
  data: cursorListOf(auditData),
  needs: ['permissionTable'],
  // Not prefetched: a page with filters reads more than a page of items.
  handler: async ({ query, ...context }) => {
    const { list, next_cursor } = await listEntries(query);
    return { list: list.map((entry) => addTitle(entry, context)), next_cursor };
  },
});
