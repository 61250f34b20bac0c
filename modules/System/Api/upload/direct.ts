import { api } from '#shared/http/route.ts';
import { directRoute, toUserUploader } from '../../files/uploads/routes.ts';
import { startDirect } from '../../files/uploads/upload-direct.ts';
import { readUploadSettings } from '../../files/uploads/upload-rules.ts';

export default api.openPost({
  ...directRoute,
  middleware: ['throttle:upload', 'api.try-auth'],
  prefetch: readUploadSettings,
  handler: ({ body: { size, ...body }, prefetched, ...caller }) =>
    startDirect({ ...body, sizeBytes: size, uploader: toUserUploader(caller) }, prefetched),
});
