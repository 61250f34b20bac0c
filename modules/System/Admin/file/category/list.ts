import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { pageOf, pageQuery, toPage } from '#shared/schema/list.ts';
import { categoryData, listFileCategories } from '../../../files/categories.ts';
import { fileType } from '../../../files/file-type.ts';

export default admin.get({
  summary: { zh_CN: '文件分类列表', en: 'List file categories' },
  query: z.object({ ...pageQuery, type: z.optional(fileType) }),
  data: pageOf(categoryData),
  prefetch: ({ query }) => listFileCategories(query.type),
  handler: async ({ query, prefetched }) => toPage(prefetched, query),
});
