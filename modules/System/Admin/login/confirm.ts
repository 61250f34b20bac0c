import * as z from 'zod/mini';
import { readOrigin } from '#shared/auth/origin.ts';
import { admin } from '#shared/http/route.ts';
import { readChallenge } from '../../factors/login-challenge.ts';
import { challenge, loginData, recoveryCodes } from '../../factors/schema.ts';
import { loginBySetUp } from '../../factors/second-login.ts';
import { firstProof } from '../../factors/set-up-schema.ts';

export default admin.openPost({
  summary: {
    zh_CN: '管理员登录：确认启用两步验证',
    en: 'Log an administrator in: set up the second factor',
  },
  body: z.strictObject({ challenge, ...firstProof }),
  data: z.extend(loginData, { codes: recoveryCodes }),
  middleware: ['throttle:admin-second'],
  readCredential: ({ body }) => readChallenge(body.challenge)?.adminId,
  audit: 'login',
  errors: ['auth.challenge_invalid', 'auth.code_invalid'],
  reference: { issues: 'adminToken' },
  handler: ({ body, request }) => loginBySetUp({ ...body, origin: readOrigin(request) }),
});
