import { api } from '#shared/http/route.ts';
import { wechat } from '#shared/settings/groups/wechat.ts';
import { readSettings } from '#shared/settings/store.ts';
import { logInUser } from '#shared/users/login.ts';
import { loginData } from '#shared/users/schema.ts';
import { loginBody } from '../../data/user-schema.ts';

export default api.openPost({
  summary: { zh_CN: '用户登录', en: 'Log a user in' },
  body: loginBody,
  data: loginData,
  middleware: ['throttle:user-login'],
  prefetch: () => readSettings(wechat),
  handler: ({ body, prefetched }) => logInUser(body, prefetched),
});
