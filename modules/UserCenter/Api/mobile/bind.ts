import * as z from 'zod/mini';
import { mobile, smsCode, userData } from '#modules/System/public/user-schema.ts';
import { api } from '#shared/http/route.ts';
import { bindMobile } from '../../users/bind-mobile.ts';

export default api.post({
  summary: { zh_CN: '绑定手机号', en: 'Bind a mobile' },
  body: z.strictObject({ mobile, code: smsCode }),
  data: userData,
  middleware: ['throttle:password'],
  errors: ['auth.code_invalid', 'user.mobile_exists', 'user.not_found', 'version_conflict'],
  handler: ({ userId, body }) => bindMobile(userId, body.mobile, body.code),
});
