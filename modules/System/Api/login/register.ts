import { readOrigin } from '#shared/auth/origin.ts';
import { api } from '#shared/http/route.ts';
import { captchaRequired, consumeCaptchaToken } from '../../site/captcha.ts';
import { prefetchCode } from '../../users/prefetch.ts';
import { registerBody, registerUser } from '../../users/register.ts';
import { loginData } from '../../users/schema.ts';

export default api.openPost({
  summary: { zh_CN: '用户注册', en: 'Register a user' },
  body: registerBody,
  data: loginData,
  middleware: ['throttle:user-login'],
  // Password hashing is expensive: a flood of registrations must not take all capacity.
  limits: { concurrency: 20 },
  errors: ['auth.code_invalid', 'auth.captcha_required', 'auth.captcha_invalid', 'user.mobile_exists'],
  reference: {
    description: {
      zh_CN: '先用 `sendCode` 以场景 `register` 获取验证码。注册后即已登录。',
      en: 'Get a code from `sendCode` with the scene `register` first. The new user is logged in.',
    },
    errorData: { 'auth.captcha_required': captchaRequired },
  },
  prefetch: ({ sent: { mobile } }) => prefetchCode(mobile, 'register'),
  handler: async ({ body, prefetched, request }) => {
    if (request.isUnderPressure) await consumeCaptchaToken(body.captcha_token);
    return registerUser(body, prefetched, { ...readOrigin(request), accept: request.acceptCredential });
  },
});
