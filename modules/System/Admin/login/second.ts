import * as z from 'zod/mini';
import { readOrigin } from '#shared/auth/origin.ts';
import { admin } from '#shared/http/route.ts';
import { readChallenge } from '../../factors/login-challenge.ts';
import { assertion } from '../../factors/proof-schema.ts';
import { challenge, factorCode, loginData } from '../../factors/schema.ts';
import { loginBySecondFactor } from '../../factors/second-login.ts';
import * as samples from '../../samples.ts';

export default admin.openPost({
  summary: { zh_CN: '管理员登录：两步验证', en: 'Log an administrator in: second factor' },
  body: z.strictObject({ challenge, code: z.optional(factorCode), passkey: z.optional(assertion) }),
  data: loginData,
  middleware: ['throttle:admin-second'],
  readCredential: ({ body }) => readChallenge(body.challenge)?.adminId,
  audit: 'login',
  errors: ['auth.challenge_invalid', 'auth.code_invalid'],
  reference: {
    issues: 'adminToken',
    example: { body: samples.secondStep, data: samples.adminLogin.data },
    description: {
      zh_CN:
        '提供 `code`，或提供浏览器以质询的 `passkey` 选项得到的 `passkey`。一个质询 5 分钟内有效，只能使用一次，最多尝试 5 次。恢复码各用一次。',
      en: 'Takes a `code`, or as `passkey` what the browser answers to the option `passkey` of the challenge. A challenge is valid for 5 minutes, once, and for at most 5 tries. A recovery code is taken once.',
    },
  },
  handler: ({ body, request }) => loginBySecondFactor({ ...body, origin: readOrigin(request) }),
});
