import * as z from 'zod/mini';
import { api } from '#shared/http/route.ts';
import { integerText } from '#shared/schema/text.ts';
import { declared, startErrors } from '../../files/uploads/schema.ts';
import { readUploadSettings, validateData, validateUpload } from '../../files/uploads/upload-rules.ts';

export default api.openGet({
  summary: { zh_CN: '校验待上传文件', en: 'Check a file before it is uploaded' },
  middleware: ['api.try-auth'],
  query: z.object({ ...declared, size: z.optional(integerText(0, 999_999_999_999_999)) }),
  data: validateData,
  storage: true,
  errors: startErrors,
  prefetch: readUploadSettings,
  handler: ({ query: { type, name, size = 1 }, prefetched }) =>
    validateUpload({ type, name, sizeBytes: size }, prefetched),
});
