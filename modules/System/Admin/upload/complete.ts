import { admin } from '#shared/http/route.ts';
import { completeRoute } from '../../files/uploads/upload-complete.ts';

export default admin.post({ ...completeRoute, middleware: ['throttle:upload'] });
