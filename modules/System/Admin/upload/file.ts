import { form } from '#shared/http/body/form.ts';
import { admin } from '#shared/http/route.ts';
import { fileRoute, toAdminUploader } from '../../files/uploads/routes.ts';
import { uploadForm } from '../../files/uploads/upload-form.ts';
import { readUploadSettings } from '../../files/uploads/upload-rules.ts';

export default admin.post({
  ...fileRoute,
  parser: form,
  middleware: ['throttle:upload'],
  prefetch: readUploadSettings,
  handler: ({ body, prefetched, ...caller }) =>
    uploadForm({ ...body, uploader: toAdminUploader(caller) }, prefetched),
});
