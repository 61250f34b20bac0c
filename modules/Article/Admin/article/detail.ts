import * as z from 'zod/mini';
import { articleId } from '#modules/System/public/articles.ts';
import { admin } from '#shared/http/route.ts';
import { articleData } from '../../articles/content-schema.ts';
import { getArticle } from '../../articles/read-articles.ts';

export default admin.get({
  summary: { zh_CN: '文章详情', en: 'An article' },
  query: z.object({ id: articleId }),
  data: articleData,
  errors: ['article.not_found'],
  prefetch: ({ query }) => getArticle(query.id),
  handler: async ({ prefetched }) => prefetched,
});
