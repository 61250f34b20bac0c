import * as z from 'zod/mini';
import { mobile, userData } from '#modules/System/public/user-schema.ts';
import { admin } from '#shared/http/route.ts';
import { creationQuery, cursorQuery, searchListOf, searchQuery } from '#shared/schema/list.ts';
import { listUsers } from '../../users/list-users.ts';

export default admin.get({
  summary: { zh_CN: '用户列表', en: 'List users' },
  query: z.object({ ...cursorQuery, ...searchQuery, mobile: z.optional(mobile), ...creationQuery }),
  data: searchListOf(userData),
  prefetch: ({ query }) => listUsers(query),
  handler: async ({ prefetched }) => prefetched,
});
