import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
import { apiTokenData, listApiTokens } from '../../../admins/api-tokens.ts';

export default admin.get({
  summary: { zh_CN: '自己的 API 令牌列表', en: 'List your API tokens' },
  right: 'login',
  query: z.object(cursorQuery),
  data: cursorListOf(apiTokenData),
  handler: ({ adminId, sessionEpoch, query }) => listApiTokens(adminId, query, sessionEpoch),
});
