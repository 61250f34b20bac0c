import * as z from 'zod/mini';
import { api } from '#shared/http/route.ts';
import { readSettings } from '#shared/settings/store.ts';
import { captchaRequired } from '../../site/captcha.ts';
import { sendCodeBody, sendSmsCode } from '../../users/send-code.ts';
import { sms } from '../../users/sms/settings.ts';

export default api.openPost({
  summary: { zh_CN: '发送短信验证码', en: 'Send a code by SMS' },
  body: sendCodeBody,
  data: z.strictObject({ expires_in: z.int() }),
  middleware: ['throttle:sms'],
  errors: ['auth.captcha_required', 'auth.captcha_invalid', 'sms.failed'],
  reference: {
    description: {
      zh_CN: '验证码只能用于所请求的场景。需要人机验证时返回 `auth.captcha_required` 和题目。',
      en: 'The code is valid for the requested scene only. `auth.captcha_required` carries the captcha to solve.',
    },
    errorData: { 'auth.captcha_required': captchaRequired },
  },
  prefetch: () => readSettings(sms),
  handler: ({ body, prefetched }) => sendSmsCode(body, prefetched),
});
