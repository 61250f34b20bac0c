import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { ownPassword } from '../../../admins/schema.ts';
import { beginSetUp } from '../../../factors/change-factor.ts';
import { ownProof } from '../../../factors/proof-schema.ts';
import { setUpData, setUpMethod } from '../../../factors/set-up-schema.ts';

export default admin.post({
  summary: { zh_CN: '开始启用或更换两步验证', en: 'Begin to set up a second factor, or another one' },
  right: 'login',
  body: z.strictObject({ password: ownPassword, method: setUpMethod, ...ownProof }),
  target: 'admin:{adminId}',
  data: setUpData,
  middleware: ['throttle:factor'],
  errors: ['admin.not_found', 'factor.off', 'passkey.too_many', 'version_conflict'],
  reference: {
    description: {
      zh_CN: '已启用时须提供 `code`，或 `challenge` 与 `passkey`。确认后才生效。',
      en: 'Who has a second factor gives it: a `code`, or `challenge` and `passkey`. What is set up counts when it is confirmed.',
    },
  },
  handler: ({ adminId, body }) => beginSetUp(adminId, body),
});
