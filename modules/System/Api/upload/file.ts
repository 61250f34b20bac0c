import { form } from '#shared/http/body/form.ts';
import { api } from '#shared/http/route.ts';
import { fileRoute, toUserUploader } from '../../files/uploads/routes.ts';
import { uploadForm } from '../../files/uploads/upload-form.ts';
import { readUploadSettings } from '../../files/uploads/upload-rules.ts';

export default api.openPost({
  ...fileRoute,
  parser: form,
  middleware: ['throttle:upload', 'api.try-auth'],
  prefetch: readUploadSettings,
  handler: ({ body, prefetched, ...caller }) =>
    uploadForm({ ...body, uploader: toUserUploader(caller) }, prefetched),
});
