import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { getFile } from '../../files/manager/list-files.ts';
import { fileData } from '../../files/records/file-record.ts';

export default admin.get({
  summary: { zh_CN: '文件详情', en: 'A file' },
  query: z.object({ id: recordId }),
  data: fileData,
  errors: ['file.not_found'],
  prefetch: ({ query }) => getFile(query.id),
  handler: async ({ prefetched }) => prefetched,
});
