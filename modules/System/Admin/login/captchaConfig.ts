import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { readSettings } from '#shared/settings/store.ts';
import { login } from '../../admins/settings.ts';
import { captchaChallenge, createCaptchaChallenge } from '../../site/captcha.ts';

export default admin.openGet({
  summary: { zh_CN: '人机验证配置', en: 'Captcha settings of the login' },
  data: z.strictObject({
    enabled: z.boolean(),
    driver: z.literal('altcha'),
    challenge: z.nullable(captchaChallenge),
  }),
  middleware: ['throttle:captcha'],
  prefetch: () => readSettings(login),
  handler: async ({ prefetched }) => {
    const enabled = prefetched.captcha_enabled;
    const challenge = enabled ? { ...(await createCaptchaChallenge()) } : null;
    return { enabled, driver: 'altcha' as const, challenge };
  },
});
