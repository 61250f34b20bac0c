import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { keyword, pageOf, pageQuery, toPage } from '#shared/schema/list.ts';
import { matchesKeyword } from '#shared/schema/text.ts';
import { listClients } from '../../../oauth/clients.ts';
import { clientData } from '../../../oauth/schema.ts';

export default admin.get({
  summary: { zh_CN: 'OAuth 客户端列表', en: 'List registered OAuth clients' },
  sensitive: true,
  query: z.object({ ...pageQuery, keyword: z.optional(keyword) }),
  data: pageOf(clientData),
  prefetch: () => listClients(),
  handler: async ({ query, prefetched }) =>
    toPage(
      prefetched.filter(({ name }) => matchesKeyword(query.keyword, name)),
      query,
    ),
});
