import { form } from '#shared/http/body/form.ts';
import { admin } from '#shared/http/route.ts';
import { fileData } from '../../files/records/file-record.ts';
import { formErrors } from '../../files/uploads/errors.ts';
import { fileForm } from '../../files/uploads/schema.ts';
import { uploadForm } from '../../files/uploads/upload-form.ts';
import { readUploadSettings } from '../../files/uploads/upload-settings.ts';
import { toAdminUploader } from '../../files/uploads/uploader.ts';
import * as samples from '../../samples.ts';

export default admin.post({
  summary: { zh_CN: '上传文件', en: 'Upload a file in a form' },
  middleware: ['throttle:upload'],
  parser: form,
  body: fileForm,
  data: fileData,
  storage: true,
  limits: { timeoutSeconds: 29, memoryMb: 1024 },
  errors: formErrors,
  reference: { example: samples.uploadForm },
  prefetch: readUploadSettings,
  handler: ({ body, prefetched, ...caller }) =>
    uploadForm({ ...body, uploader: toAdminUploader(caller) }, prefetched),
});
