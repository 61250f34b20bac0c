import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { secret } from '#shared/schema/marks.ts';
import { checkCaptcha } from '../../site/captcha.ts';

export default admin.openPost({
  summary: { zh_CN: '校验人机验证', en: 'Check a solved captcha' },
  body: z.strictObject({ payload: secret(z.string().check(z.minLength(1), z.maxLength(4096))) }),
  data: z.strictObject({ captcha_token: z.string(), expires_at: z.iso.datetime() }),
  middleware: ['throttle:captcha'],
  errors: ['auth.captcha_invalid'],
  handler: ({ body }) => checkCaptcha(body.payload),
});
