import * as z from 'zod/mini';
import { api } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { articles } from '../../articles/article-record.ts';
import { articleData } from '../../articles/content-schema.ts';
import { getArticle } from '../../articles/read-articles.ts';

export default api.openGet({
  summary: { zh_CN: '文章详情', en: 'A published article' },
  query: z.object({ id: recordId }),
  data: articleData,
  middleware: ['throttle:public', 'api.try-auth'],
  errors: ['article.not_found'],
  handler: async ({ query }) => {
    const article = await getArticle(query.id);
    if (article.status !== 'enabled') throw articles.missing();
    return article;
  },
});
