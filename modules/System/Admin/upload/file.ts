import { admin } from '#shared/http/route.ts';
import { fileRoute } from '../../files/uploads/upload-form.ts';

export default admin.post({ ...fileRoute, middleware: ['throttle:upload'] });
