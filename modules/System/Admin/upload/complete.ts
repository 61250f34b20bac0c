import { admin } from '#shared/http/route.ts';
import { completeRoute, toAdminUploader } from '../../files/uploads/routes.ts';
import { completeDirect } from '../../files/uploads/upload-direct.ts';

export default admin.post({
  ...completeRoute,
  middleware: ['throttle:upload'],
  handler: ({ body, ...caller }) => completeDirect(body.ticket, toAdminUploader(caller)),
});
