import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { categoryData, categoryName, renameFileCategory } from '../../../files/categories.ts';

export default admin.post({
  summary: { zh_CN: '编辑文件分类', en: 'Edit a file category' },
  body: z.strictObject({ id: recordId, name: categoryName }),
  data: categoryData,
  errors: ['file.category_not_found'],
  handler: ({ body: { id, name } }) => renameFileCategory(id, name),
});
