import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { articleData, content } from '../../articles/content-schema.ts';
import { articleId, category, cover, status, summary, title, version } from '../../articles/schema.ts';
import { editArticle } from '../../articles/write-articles.ts';

export default admin.post({
  summary: { zh_CN: '编辑文章', en: 'Edit an article' },
  body: z.strictObject({
    id: articleId,
    version,
    title: z.optional(title),
    category: z.optional(category),
    cover: z.optional(cover),
    summary: z.optional(summary),
    content: z.optional(content),
    status: z.optional(status),
  }),
  data: articleData,
  errors: ['article.not_found', 'version_conflict'],
  handler: ({ body: { id, version, ...changes } }) => editArticle(id, version, changes),
});
