import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId, text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { renameFile } from '../../files/manager/edit-files.ts';
import { fileData } from '../../files/records/file-record.ts';

export default admin.post({
  summary: { zh_CN: '重命名文件', en: 'Rename a file' },
  body: z.strictObject({ id: recordId, name: titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 100))) }),
  data: fileData,
  errors: ['file.not_found'],
  handler: ({ body: { id, name } }) => renameFile(id, name),
});
