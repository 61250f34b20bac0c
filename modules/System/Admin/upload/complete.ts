import { admin } from '#shared/http/route.ts';
import { fileData } from '../../files/records/file-record.ts';
import { completeDirect } from '../../files/uploads/complete-direct.ts';
import { completeErrors } from '../../files/uploads/errors.ts';
import { completeBody } from '../../files/uploads/schema.ts';
import { toAdminUploader } from '../../files/uploads/uploader.ts';

export default admin.post({
  summary: { zh_CN: '完成直传', en: 'Complete a direct upload' },
  middleware: ['throttle:upload'],
  body: completeBody,
  data: fileData,
  storage: true,
  limits: { timeoutSeconds: 29, memoryMb: 1024 },
  errors: completeErrors,
  reference: {
    description: {
      zh_CN: '检查已上传的内容并登记文件。',
      en: 'Checks the uploaded content and registers the file.',
    },
  },
  handler: ({ body, ...caller }) => completeDirect(body.ticket, toAdminUploader(caller)),
});
