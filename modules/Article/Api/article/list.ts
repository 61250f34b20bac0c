import * as z from 'zod/mini';
import { itemValue } from '#shared/dict/schema.ts';
import { api } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
import { articleSummary } from '../../articles/article-record.ts';
import { listArticles } from '../../articles/read-articles.ts';

export default api.openGet({
  summary: { zh_CN: '文章列表', en: 'List published articles' },
  query: z.object({ ...cursorQuery, category: z.optional(itemValue) }),
  data: cursorListOf(articleSummary),
  middleware: ['throttle:public', 'api.try-auth'],
  async handler({ query }) {
    const { list, next_cursor } = await listArticles('published articles', { ...query, status: 'enabled' });
    return { list, next_cursor };
  },
});
