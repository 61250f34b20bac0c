import { api } from '#shared/http/route.ts';
import { directRoute } from '../../files/uploads/upload-direct.ts';

export default api.openPost({
  ...directRoute,
  middleware: ['throttle:upload', 'api.try-auth'],
  errors: [...directRoute.errors, 'upload.guest_denied'],
});
