import * as z from 'zod/mini';
import { loginAdmin } from '#shared/auth/admin-login.ts';
import { consumeCaptchaToken } from '#shared/auth/captcha.ts';
import { admin } from '#shared/http/route.ts';
import { wellFormed } from '#shared/schema/well-formed.ts';
import { login } from '#shared/settings/groups/login.ts';
import { readSettings } from '#shared/settings/store.ts';
import { adminData } from '../../data/admin-schema.ts';
import { captchaRequired } from '../../data/captcha-schema.ts';
import * as samples from '../../data/samples.ts';

export default admin.openPost({
  summary: { zh_CN: '管理员登录', en: 'Log an administrator in' },
  // Hardly a rule but a length: what an account or password must look like is nothing a guess should learn.
  body: z.strictObject({
    account: z.string().check(z.minLength(1), z.maxLength(128), wellFormed),
    password: z.string().check(z.minLength(1), z.maxLength(128)),
    captcha_token: z.optional(z.string().check(z.maxLength(1024))),
  }),
  data: z.strictObject({ token: z.string(), expires_at: z.iso.datetime(), admin: adminData }),
  middleware: ['throttle:admin-login'],
  errors: [
    'auth.credentials_invalid',
    'auth.principal_disabled',
    'auth.captcha_required',
    'auth.captcha_invalid',
  ],
  reference: { errorData: { 'auth.captcha_required': captchaRequired }, example: samples.adminLogin },
  prefetch: () => readSettings(login),
  handler: async ({ body, prefetched, request }) => {
    if (prefetched.captcha_enabled) await consumeCaptchaToken(body.captcha_token);
    return loginAdmin(body.account, body.password, request.address);
  },
});
