import { api } from '#shared/http/route.ts';
import { directErrors } from '../../files/uploads/routes.ts';
import { validateData, validateQuery } from '../../files/uploads/schema.ts';
import { readUploadSettings, validateUpload } from '../../files/uploads/upload-rules.ts';

export default api.openGet({
  summary: { zh_CN: '校验待上传文件', en: 'Check a file before it is uploaded' },
  middleware: ['api.try-auth'],
  query: validateQuery,
  data: validateData,
  storage: true,
  errors: directErrors,
  prefetch: readUploadSettings,
  handler: ({ query: { type, name, size = 1 }, prefetched }) =>
    validateUpload({ type, name, sizeBytes: size }, prefetched),
});
