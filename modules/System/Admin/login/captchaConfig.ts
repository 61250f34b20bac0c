import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { readSettings } from '#shared/settings/store.ts';
import { login } from '../../admins/settings.ts';
import { captchaChallenge, createCaptchaChallenge } from '../../site/captcha.ts';

export default admin.openGet({
  summary: { zh_CN: '人机验证配置', en: 'Captcha settings of the login' },
  data: z.strictObject({
    enabled: titled({ zh_CN: '启用', en: 'Enabled' }, z.boolean()),
    driver: titled({ zh_CN: '验证方式', en: 'Kind of captcha' }, z.literal('altcha')),
    challenge: titled({ zh_CN: '题目', en: 'Challenge' }, z.nullable(captchaChallenge)),
  }),
  middleware: ['throttle:captcha'],
  prefetch: () => readSettings(login),
  handler: async ({ prefetched }) => {
    const enabled = prefetched.captcha_enabled;
    const challenge = enabled ? { ...(await createCaptchaChallenge()) } : null;
    return { enabled, driver: 'altcha' as const, challenge };
  },
});
