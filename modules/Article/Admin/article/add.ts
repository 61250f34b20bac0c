import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { articleData, content } from '../../articles/content-schema.ts';
import { category, cover, status, summary, title } from '../../articles/schema.ts';
import { addArticle } from '../../articles/write-articles.ts';

export default admin.post({
  summary: { zh_CN: '新增文章', en: 'Add an article' },
  body: z.strictObject({
    title,
    category,
    cover: z.optional(cover),
    summary: z.optional(summary),
    content,
    status: z.optional(status),
  }),
  data: articleData,
  handler: ({ body }) => addArticle(body),
});
