import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { ownPassword } from '../../../admins/schema.ts';
import { beginSetUp } from '../../../factors/change-factor.ts';
import { factorCode, setUpData } from '../../../factors/schema.ts';

export default admin.post({
  summary: { zh_CN: '开始启用或更换两步验证', en: 'Create the secret of a second factor, or of another one' },
  right: 'login',
  body: z.strictObject({ password: ownPassword, code: z.optional(factorCode) }),
  target: 'admin:{adminId}',
  data: setUpData,
  middleware: ['throttle:factor'],
  errors: ['admin.not_found', 'factor.off', 'version_conflict'],
  reference: {
    description: {
      zh_CN: '已启用时须提供 `code`。提交首个验证码后才生效。',
      en: 'Who has a second factor sends a `code` of it. The secret counts when its first code is sent.',
    },
  },
  handler: ({ adminId, body }) => beginSetUp(adminId, body),
});
