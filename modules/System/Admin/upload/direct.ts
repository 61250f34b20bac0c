import { admin } from '#shared/http/route.ts';
import { directRoute, toAdminUploader } from '../../files/uploads/routes.ts';
import { startDirect } from '../../files/uploads/upload-direct.ts';
import { readUploadSettings } from '../../files/uploads/upload-rules.ts';

export default admin.post({
  ...directRoute,
  middleware: ['throttle:upload'],
  prefetch: readUploadSettings,
  handler: ({ body: { size, ...body }, prefetched, ...caller }) =>
    startDirect({ ...body, sizeBytes: size, uploader: toAdminUploader(caller) }, prefetched),
});
