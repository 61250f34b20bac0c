import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { keyword, pageOf, pageQuery, toPage } from '#shared/schema/list.ts';
import { matchesKeyword } from '#shared/schema/text.ts';
import { listRoles } from '../../roles/roles.ts';
import { roleData } from '../../roles/schema.ts';

export default admin.get({
  summary: { zh_CN: '角色列表', en: 'List roles' },
  sensitive: true,
  query: z.object({ ...pageQuery, keyword: z.optional(keyword) }),
  data: pageOf(roleData),
  prefetch: () => listRoles(),
  handler: async ({ query, prefetched }) =>
    toPage(
      prefetched.filter(({ name, remark }) => matchesKeyword(query.keyword, name, remark)),
      query,
    ),
});
