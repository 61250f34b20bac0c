import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
import { text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { fileCategoryId } from '../../files/category-id.ts';
import { fileType } from '../../files/file-type.ts';
import { listFiles } from '../../files/manager/list-files.ts';
import { fileData } from '../../files/records/file-record.ts';

export default admin.get({
  summary: { zh_CN: '文件列表', en: 'List files' },
  query: z
    .object({
      ...cursorQuery,
      type: z.optional(fileType),
      cid: fileCategoryId,
      keyword: titled({ zh_CN: '文件名', en: 'File name' }, z.optional(text(1, 100))),
    })
    // No index covers both, and a category has only one type.
    .check(z.refine(({ type, cid }) => !type || !cid, { path: ['cid'], error: 'rule.type_or_category' })),
  data: cursorListOf(fileData),
  // A search may take several queries, so it runs after the gates.
  prefetch: async ({ query }) => (query.keyword === undefined ? listFiles(query) : undefined),
  handler: async ({ query, prefetched }) => prefetched ?? listFiles(query),
});
