import { api } from '#shared/http/route.ts';
import { readCodeEarly } from '#shared/users/early-reads.ts';
import { registerUser } from '#shared/users/register.ts';
import { loginData } from '#shared/users/schema.ts';
import { registerBody } from '../../data/user-schema.ts';

export default api.openPost({
  summary: { zh_CN: '用户注册', en: 'Register a user' },
  body: registerBody,
  data: loginData,
  middleware: ['throttle:user-login'],
  // Hashing a password costs much: a flood of logins leaves room for other routes.
  limits: { concurrency: 20 },
  errors: ['auth.code_invalid', 'user.mobile_exists'],
  prefetch: (_query, { mobile }) => readCodeEarly(mobile, 'register'),
  handler: ({ body, prefetched }) => registerUser(body, prefetched),
});
