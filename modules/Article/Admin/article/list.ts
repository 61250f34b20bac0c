import * as z from 'zod/mini';
import { articleStatus, articleSummary } from '#modules/System/public/articles.ts';
import { itemValue } from '#shared/dict/schema.ts';
import { admin } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
import { listArticles } from '../../articles/read-articles.ts';

export default admin.get({
  summary: { zh_CN: '文章列表', en: 'List articles' },
  query: z.object({ ...cursorQuery, category: z.optional(itemValue), status: z.optional(articleStatus) }),
  data: cursorListOf(articleSummary),
  prefetch: ({ query }) => listArticles('articles', query),
  handler: async ({ prefetched }) => prefetched,
});
