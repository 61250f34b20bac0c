import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { cursorQuery, searchListOf, searchQuery } from '#shared/schema/list.ts';
import { titled } from '#shared/schema/titled.ts';
import { listAdmins } from '../../admins/list-admins.ts';
import { adminData } from '../../admins/schema.ts';

export default admin.get({
  summary: { zh_CN: '管理员列表', en: 'List administrators' },
  sensitive: true,
  query: z.object({
    ...cursorQuery,
    ...searchQuery,
    account: titled(
      { zh_CN: '账号', en: 'Account' },
      z.optional(z.string().check(z.toLowerCase(), z.minLength(1), z.maxLength(32))),
    ),
  }),
  data: searchListOf(adminData),
  prefetch: ({ query }) => listAdmins(query),
  handler: async ({ prefetched }) => prefetched,
});
