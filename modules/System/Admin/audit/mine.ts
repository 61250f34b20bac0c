import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
import { listOwnLogins } from '../../audit/list-entries.ts';
import { addTitle, auditData } from '../../audit/schema.ts';

export default admin.get({
  summary: { zh_CN: '自己的登录记录', en: 'List your logins' },
  right: 'login',
  query: z.object(cursorQuery),
  data: cursorListOf(auditData),
  needs: ['permissionTable'],
  handler: async ({ adminId, query, ...context }) => {
    const { list, next_cursor } = await listOwnLogins(adminId, query);
    return { list: list.map((entry) => addTitle(entry, context)), next_cursor };
  },
});
