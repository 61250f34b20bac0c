import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { readChallenge } from '../../factors/login-challenge.ts';
import { challenge } from '../../factors/schema.ts';
import { beginSetUpAtLogin } from '../../factors/second-login.ts';
import { setUpData, setUpMethod } from '../../factors/set-up-schema.ts';

export default admin.openPost({
  summary: {
    zh_CN: '管理员登录：开始启用两步验证',
    en: 'Log an administrator in: begin to set up a second factor',
  },
  body: z.strictObject({ challenge, method: setUpMethod }),
  data: setUpData,
  middleware: ['throttle:admin-second'],
  readCredential: ({ body }) => readChallenge(body.challenge)?.adminId,
  errors: ['auth.challenge_invalid'],
  reference: {
    description: {
      zh_CN: '用于 `methods` 含 `setup` 的质询。',
      en: 'For a challenge whose `methods` have `setup`.',
    },
  },
  handler: ({ body }) => beginSetUpAtLogin(body.challenge, body.method),
});
