import { api } from '#shared/http/route.ts';
import { directErrors } from '../../files/uploads/errors.ts';
import { directBody, directData } from '../../files/uploads/schema.ts';
import { startDirect } from '../../files/uploads/start-direct.ts';
import { readUploadSettings } from '../../files/uploads/upload-settings.ts';
import { toUserUploader } from '../../files/uploads/uploader.ts';
import * as samples from '../../samples.ts';

export default api.openPost({
  summary: { zh_CN: '申请直传', en: 'Begin a direct upload' },
  middleware: ['throttle:upload', 'api.try-auth'],
  body: directBody,
  data: directData,
  storage: true,
  errors: directErrors,
  reference: {
    description: {
      zh_CN: '返回客户端上传文件的地址和表单；上传后调用 `complete`。',
      en: 'Answers where and how the client uploads the file itself. Call `complete` afterwards.',
    },
    example: samples.uploadDirect,
  },
  prefetch: readUploadSettings,
  handler: ({ body: { size, ...body }, prefetched, ...caller }) =>
    startDirect({ ...body, sizeBytes: size, uploader: toUserUploader(caller) }, prefetched),
});
