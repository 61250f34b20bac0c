import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { deleteArticle } from '../../articles/delete-articles.ts';
import { articleId } from '../../articles/schema.ts';

export default admin.post({
  summary: { zh_CN: '删除文章', en: 'Delete an article' },
  body: z.strictObject({ id: articleId }),
  data: z.null(),
  errors: ['article.not_found', 'version_conflict'],
  handler: ({ body }) => deleteArticle(body.id),
});
