import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { articleStatus } from '../../articles/article-record.ts';
import { articleData } from '../../articles/content-schema.ts';
import { setArticleStatus } from '../../articles/write-articles.ts';

export default admin.post({
  summary: { zh_CN: '发布或撤下文章', en: 'Publish or withdraw an article' },
  body: z.strictObject({ id: recordId, status: articleStatus }),
  data: articleData,
  errors: ['article.not_found', 'version_conflict'],
  handler: ({ body }) => setArticleStatus(body.id, body.status),
});
