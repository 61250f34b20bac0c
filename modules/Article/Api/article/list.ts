import * as z from 'zod/mini';
import { api } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
import { listArticles } from '../../articles/read-articles.ts';
import { articleSummary, category } from '../../articles/schema.ts';

export default api.openGet({
  summary: { zh_CN: '文章列表', en: 'List published articles' },
  query: z.object({ ...cursorQuery, category: z.optional(category) }),
  data: cursorListOf(articleSummary),
  middleware: ['throttle:public', 'api.try-auth'],
  handler: ({ query }) => listArticles('published articles', { ...query, status: 'enabled' }),
});
