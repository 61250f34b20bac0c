import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { deleteFileCategory } from '../../../files/categories.ts';

export default admin.post({
  summary: { zh_CN: '删除文件分类', en: 'Delete a file category' },
  body: z.strictObject({ id: recordId }),
  data: z.null(),
  errors: ['file.category_not_found', 'file.category_not_empty'],
  handler: ({ body }) => deleteFileCategory(body.id),
});
