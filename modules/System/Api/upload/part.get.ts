import * as z from 'zod/mini';
import { api } from '#shared/http/route.ts';
import { readOffset } from '../../files/uploads/parts.ts';
import { partData, storageErrors, ticket } from '../../files/uploads/schema.ts';
import { readTicket } from '../../files/uploads/ticket.ts';

export default api.openGet({
  summary: { zh_CN: '查询已上传字节数（本地存储）', en: 'Bytes received so far (local storage)' },
  middleware: ['throttle:upload-part'],
  readCredential: readTicket,
  query: z.object({ ticket }),
  data: partData,
  storage: true,
  errors: ['upload.ticket_invalid', ...storageErrors],
  handler: async ({ query }) => ({ offset: await readOffset(query.ticket) }),
});
