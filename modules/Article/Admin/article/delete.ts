import * as z from 'zod/mini';
import { articleId } from '#modules/System/public/articles.ts';
import { admin } from '#shared/http/route.ts';
import { deleteArticle } from '../../articles/delete-articles.ts';

export default admin.post({
  summary: { zh_CN: '删除文章', en: 'Delete an article' },
  body: z.strictObject({ id: articleId }),
  data: z.null(),
  errors: ['article.not_found', 'version_conflict'],
  handler: ({ body }) => deleteArticle(body.id),
});
