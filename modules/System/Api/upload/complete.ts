import { api } from '#shared/http/route.ts';
import { completeRoute } from '../../files/uploads/upload-complete.ts';

export default api.openPost({ ...completeRoute, middleware: ['throttle:upload', 'api.try-auth'] });
