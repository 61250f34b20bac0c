import { api } from '#shared/http/route.ts';
import { fileRoute } from '../../files/uploads/upload-form.ts';

export default api.openPost({ ...fileRoute, middleware: ['throttle:upload', 'api.try-auth'] });
