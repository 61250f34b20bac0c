import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { beginFlow } from '../../sso/flow.ts';
import { ssoBegun } from '../../sso/schema.ts';

export default admin.openPost({
  summary: { zh_CN: '管理员单点登录：开始', en: 'Begin a login at the OpenID provider' },
  body: z.strictObject({
    purpose: titled(
      {
        zh_CN: '用途',
        en: 'Purpose',
        options: {
          login: { zh_CN: '登录', en: 'A login' },
          invitation: { zh_CN: '接受邀请', en: 'To accept an invitation' },
        },
      },
      z.enum(['login', 'invitation']),
    ),
  }),
  data: ssoBegun,
  middleware: ['throttle:sso'],
  limits: { concurrency: 20 },
  errors: ['sso.off', 'sso.provider_failed'],
  reference: {
    description: {
      zh_CN: '浏览器打开 `url`，并保存 `flow`，回到控制台后一并提交。10 分钟内有效，只能使用一次。',
      en: 'The browser opens `url`, and keeps `flow` to send it with what the provider answers: once, within 10 minutes.',
    },
  },
  handler: ({ body: { purpose } }) => beginFlow(purpose),
});
