import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { deleteArticle } from '../../articles/delete-articles.ts';

export default admin.post({
  summary: { zh_CN: '删除文章', en: 'Delete an article' },
  body: z.strictObject({ id: recordId }),
  data: z.null(),
  errors: ['article.not_found', 'version_conflict'],
  handler: ({ body }) => deleteArticle(body.id),
});
