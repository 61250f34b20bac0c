import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { secret } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';
import { checkCaptcha } from '../../site/captcha.ts';

export default admin.openPost({
  summary: { zh_CN: '校验人机验证', en: 'Check a solved captcha' },
  body: z.strictObject({
    payload: titled(
      { zh_CN: '答案', en: 'Solution' },
      secret(z.string().check(z.minLength(1), z.maxLength(4096))),
    ),
  }),
  data: z.strictObject({
    captcha_token: titled({ zh_CN: '人机验证令牌', en: 'Captcha token' }, z.string()),
    expires_at: titled({ zh_CN: '过期时间', en: 'Expires' }, z.iso.datetime()),
  }),
  middleware: ['throttle:captcha'],
  errors: ['auth.captcha_invalid'],
  handler: ({ body }) => checkCaptcha(body.payload),
});
