import { readOffset } from '#shared/files/uploads/parts.ts';
import { api } from '#shared/http/route.ts';
import { storageErrors } from '../../data/upload-errors.ts';
import { partData, partQuery } from '../../data/upload-schema.ts';

export default api.openGet({
  summary: { zh_CN: '查询已上传字节数（本地存储）', en: 'Bytes received so far (local storage)' },
  middleware: ['throttle:upload-part'],
  query: partQuery,
  data: partData,
  storage: true,
  errors: ['upload.ticket_invalid', ...storageErrors],
  handler: async ({ query }) => ({ offset: await readOffset(query.ticket) }),
});
