import * as z from 'zod/mini';
import { form } from '#shared/http/body/form.ts';
import { api } from '#shared/http/route.ts';
import { receivedFile } from '#shared/schema/received-file.ts';
import { integerText } from '#shared/schema/text.ts';
import { receivePart } from '../../files/uploads/parts.ts';
import { heavy, partData, storageErrors, ticket } from '../../files/uploads/schema.ts';
import { readTicket } from '../../files/uploads/ticket.ts';

export default api.openPost({
  summary: { zh_CN: '上传分片（本地存储）', en: 'Upload a part (local storage)' },
  middleware: ['throttle:upload-part'],
  readCredential: readTicket,
  parser: form,
  // All fields of a form are text, also the offset.
  body: z.object({ ticket, offset: integerText(0, 9_999_999_999), file: receivedFile }),
  data: partData,
  storage: true,
  limits: heavy,
  errors: [
    ...storageErrors,
    'upload.ticket_invalid',
    'upload.empty',
    'upload.too_large',
    'upload.offset_conflict',
    'request.too_large',
  ],
  handler: async ({ body: { ticket, offset, file } }) => ({
    offset: await receivePart(ticket, offset, file.bytes),
  }),
});
