import { form } from '#shared/http/body/form.ts';
import { api } from '#shared/http/route.ts';
import { receivePart } from '../../files/uploads/parts.ts';
import { heavy, storageErrors } from '../../files/uploads/routes.ts';
import { partData, partForm } from '../../files/uploads/schema.ts';

export default api.openPost({
  summary: { zh_CN: '上传分片（本地存储）', en: 'Upload a part (local storage)' },
  middleware: ['throttle:upload-part'],
  parser: form,
  body: partForm,
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
