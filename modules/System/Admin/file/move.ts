import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { moveFiles } from '../../files/manager/edit-files.ts';
import { fileIds } from '../../files/records/file-record.ts';

/** `''`, `0` and null mean no category. Required. */
const targetCategory = titled(
  { zh_CN: '分类', en: 'Category', type: 'id', refersTo: 'system/file/category' },
  label(
    z.pipe(
      z.nullable(z.union([z.literal([0, '0', '']), recordId], { error: 'rule.id' })),
      z.transform((value) => (typeof value === 'string' && value.length > 1 ? value : null)),
    ),
  ),
);

export default admin.post({
  summary: { zh_CN: '移动文件到分类', en: 'Move files into a category' },
  body: z.strictObject({ ids: fileIds, cid: targetCategory }),
  data: z.strictObject({ moved: titled({ zh_CN: '已移动', en: 'Moved' }, z.int()) }),
  errors: ['file.category_not_found', 'version_conflict'],
  handler: async ({ body: { ids, cid } }) => ({ moved: await moveFiles(ids, cid) }),
});
