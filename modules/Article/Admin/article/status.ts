import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { status } from '#shared/schema/fields.ts';
import { recordId } from '#shared/schema/text.ts';
import { articleData } from '../../articles/content-schema.ts';
import { setArticleStatus } from '../../articles/write-articles.ts';

export default admin.post({
  summary: { zh_CN: '启用或停用文章', en: 'Enable or disable an article' },
  body: z.strictObject({ id: recordId, status }),
  data: articleData,
  errors: ['article.not_found', 'version_conflict'],
  handler: ({ body }) => setArticleStatus(body.id, body.status),
});
