import * as z from 'zod/mini';
import { uploadTypes } from '#shared/config/upload.ts';
import { admin } from '#shared/http/route.ts';
import { addFileCategory, categoryData, categoryName } from '../../../files/categories.ts';
import { fileCategoryId } from '../../../files/category-id.ts';

export default admin.post({
  summary: { zh_CN: '新增文件分类', en: 'Add a file category' },
  body: z.strictObject({ name: categoryName, type: z.enum(uploadTypes), parent_id: fileCategoryId }),
  data: categoryData,
  handler: ({ body }) => addFileCategory(body),
});
