import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
import { articleCategory, articleStatus, articleSummary } from '../../articles/article-record.ts';
import { listArticles } from '../../articles/read-articles.ts';

export default admin.get({
  summary: { zh_CN: '文章列表', en: 'List articles' },
  query: z.object({
    ...cursorQuery,
    category: z.optional(articleCategory),
    status: z.optional(articleStatus),
  }),
  data: cursorListOf(articleSummary),
  prefetch: ({ query }) => listArticles('articles', query),
  handler: async ({ prefetched }) => prefetched,
});
