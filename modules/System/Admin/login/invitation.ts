import * as z from 'zod/mini';
import { readOrigin } from '#shared/auth/origin.ts';
import { admin } from '#shared/http/route.ts';
import { secret } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';
import { password } from '../../admins/schema.ts';
import { challengeData, loginData } from '../../factors/schema.ts';
import { acceptInvitation } from '../../invitations/accept.ts';
import { ssoAnswer } from '../../sso/schema.ts';

export default admin.openPost({
  summary: { zh_CN: '接受管理员邀请', en: 'Accept an invitation, and log the administrator in' },
  body: z.strictObject({
    invitation: titled(
      { zh_CN: '邀请', en: 'Invitation' },
      secret(z.string().check(z.minLength(1), z.maxLength(128))),
    ),
    password: z.optional(password),
    sso: titled({ zh_CN: '单点登录', en: 'Single sign-on' }, z.optional(z.strictObject(ssoAnswer))),
  }),
  data: z.union([loginData, challengeData]),
  middleware: ['throttle:invitation'],
  audit: 'login',
  // It hashes a password, as a login does.
  limits: { concurrency: 20 },
  needs: ['permissions'],
  errors: ['auth.invitation_invalid', 'auth.sso_invalid', 'sso.off', 'sso.bound', 'sso.provider_failed'],
  reference: {
    issues: 'adminToken',
    description: {
      zh_CN:
        '`invitation` 是邀请链接 `#` 之后的部分。提交 `password` 设置密码，或提交 `sso` 关联身份提供方的账号。',
      en: '`invitation` is the part of the link behind `#`. `password` becomes the password, or `sso` binds an account of the provider.',
    },
  },
  handler: ({ body, permissions, request }) =>
    acceptInvitation({ ...body, origin: readOrigin(request) }, permissions),
});
