import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { toCategoryId } from '../../files/category-id.ts';
import { moveFiles } from '../../files/manager/edit-files.ts';
import { fileIds } from '../../files/records/file-record.ts';

/** Null means no category. Required. */
const targetCategory = titled(
  {
    zh_CN: '分类',
    en: 'Category',
    type: 'id',
    refersTo: 'system/file/category',
    alsoAccepts: ['', '0', 0],
  },
  label(z.pipe(toCategoryId, z.nullable(recordId))),
);

export default admin.post({
  summary: { zh_CN: '移动文件到分类', en: 'Move files into a category' },
  body: z.strictObject({ ids: fileIds, cid: targetCategory }),
  data: z.strictObject({ moved: titled({ zh_CN: '已移动', en: 'Moved' }, z.int()) }),
  errors: ['file.category_not_found', 'version_conflict'],
  handler: async ({ body: { ids, cid } }) => ({ moved: await moveFiles(ids, cid) }),
});
