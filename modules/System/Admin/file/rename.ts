import * as z from 'zod/mini';
import { renameFile } from '#shared/files/manager/rename-file.ts';
import { fileId, fileName } from '#shared/files/manager/schema.ts';
import { fileData } from '#shared/files/records/file-schema.ts';
import { admin } from '#shared/http/route.ts';

export default admin.post({
  summary: { zh_CN: '重命名文件', en: 'Rename a file' },
  body: z.strictObject({ id: fileId, name: fileName }),
  data: fileData,
  errors: ['file.not_found'],
  handler: ({ body: { id, name } }) => renameFile(id, name),
});
