import { api } from '#shared/http/route.ts';
import { guestErrorHeaders, guestErrors } from '../../files/uploads/guest-budget.ts';
import { fileRoute } from '../../files/uploads/upload-form.ts';

export default api.openPost({
  ...fileRoute,
  middleware: ['throttle:upload', 'api.try-auth'],
  errors: [...fileRoute.errors, ...guestErrors],
  reference: { ...fileRoute.reference, errorHeaders: guestErrorHeaders },
});
