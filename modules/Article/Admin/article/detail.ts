import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { articleData } from '../../articles/content-schema.ts';
import { getArticle } from '../../articles/read-articles.ts';

export default admin.get({
  summary: { zh_CN: '文章详情', en: 'An article' },
  query: z.object({ id: recordId }),
  data: articleData,
  errors: ['article.not_found'],
  prefetch: ({ query }) => getArticle(query.id),
  handler: async ({ prefetched }) => prefetched,
});
