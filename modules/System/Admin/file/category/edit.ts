import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { categoryData, categoryId, categoryName } from '../../../files/categories/category.ts';
import { renameFileCategory } from '../../../files/categories/manage-categories.ts';

export default admin.post({
  summary: { zh_CN: '编辑文件分类', en: 'Edit a file category' },
  body: z.strictObject({ id: categoryId, name: categoryName }),
  data: categoryData,
  errors: ['file.category_not_found'],
  handler: ({ body: { id, name } }) => renameFileCategory(id, name),
});
