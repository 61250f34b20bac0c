import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { cursorQuery, searchListOf, searchQuery } from '#shared/schema/list.ts';
import { articleCategory, articleStatus, articleSummary } from '../../articles/article-record.ts';
import { listArticles } from '../../articles/read-articles.ts';

export default admin.get({
  summary: { zh_CN: '文章列表', en: 'List articles' },
  query: z.object({
    ...cursorQuery,
    ...searchQuery,
    category: z.optional(articleCategory),
    status: z.optional(articleStatus),
  }),
  data: searchListOf(articleSummary),
  prefetch: ({ query }) => listArticles('articles', query),
  handler: async ({ prefetched }) => prefetched,
});
