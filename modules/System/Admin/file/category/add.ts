import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { addFileCategory, categoryData, categoryName } from '../../../files/categories.ts';
import { fileCategoryId } from '../../../files/category-id.ts';
import { fileType } from '../../../files/file-type.ts';

export default admin.post({
  summary: { zh_CN: '新增文件分类', en: 'Add a file category' },
  body: z.strictObject({
    name: categoryName,
    type: fileType,
    parent_id: titled({ zh_CN: '上级分类', en: 'Parent category' }, fileCategoryId),
  }),
  data: categoryData,
  handler: ({ body }) => addFileCategory(body),
});
