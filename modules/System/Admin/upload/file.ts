import { fileData } from '#shared/files/records/file-schema.ts';
import { uploadForm } from '#shared/files/uploads/upload-form.ts';
import { readUploadSettings } from '#shared/files/uploads/upload-settings.ts';
import { form } from '#shared/http/body/form.ts';
import { admin } from '#shared/http/route.ts';
import * as samples from '../../data/samples.ts';
import { formErrors } from '../../data/upload-errors.ts';
import { fileForm } from '../../data/upload-schema.ts';
import { toAdminUploader } from '../../data/uploader.ts';

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
