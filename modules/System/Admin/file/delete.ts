import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { deleteFiles } from '../../files/manager/delete-files.ts';
import { fileIds } from '../../files/records/file-record.ts';

export default admin.post({
  summary: { zh_CN: '删除文件', en: 'Delete files' },
  body: z.strictObject({ ids: fileIds }),
  data: z.strictObject({
    deleted: z.int(),
    failed: z.array(z.strictObject({ id: recordId, code: z.string() })),
  }),
  storage: true,
  limits: { timeoutSeconds: 29, memoryMb: 1024 },
  handler: ({ body }) => deleteFiles(body.ids),
});
