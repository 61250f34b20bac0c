import { api } from '#shared/http/route.ts';
import { completeRoute, toUserUploader } from '../../files/uploads/routes.ts';
import { completeDirect } from '../../files/uploads/upload-direct.ts';

export default api.openPost({
  ...completeRoute,
  middleware: ['throttle:upload', 'api.try-auth'],
  handler: ({ body, ...caller }) => completeDirect(body.ticket, toUserUploader(caller)),
});
