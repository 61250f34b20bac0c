import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { deleteFiles } from '../../files/manager/delete-files.ts';
import { fileIds } from '../../files/records/file-record.ts';

const failure = z.strictObject({
  id: recordId,
  code: titled({ zh_CN: '错误码', en: 'Error code' }, z.string()),
});

export default admin.post({
  summary: { zh_CN: '删除文件', en: 'Delete files' },
  body: z.strictObject({ ids: fileIds }),
  data: z.strictObject({
    deleted: titled({ zh_CN: '已删除', en: 'Deleted' }, z.int()),
    failed: titled({ zh_CN: '失败', en: 'Failed' }, z.array(failure)),
  }),
  storage: true,
  limits: { timeoutSeconds: 29, memoryMb: 1024 },
  handler: ({ body }) => deleteFiles(body.ids),
});
