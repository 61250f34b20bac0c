import { admin } from '#shared/http/route.ts';
import { directRoute } from '../../files/uploads/upload-direct.ts';

export default admin.post({ ...directRoute, middleware: ['throttle:upload'] });
