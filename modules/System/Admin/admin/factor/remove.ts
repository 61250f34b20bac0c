import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { ownPassword } from '../../../admins/schema.ts';
import { removeOwnFactor } from '../../../factors/change-factor.ts';
import { passkeyId } from '../../../factors/own-factor.ts';
import { ownProof } from '../../../factors/proof-schema.ts';

export default admin.post({
  summary: { zh_CN: '停用自己的两步验证', en: 'Remove your second factor' },
  right: 'login',
  body: z.strictObject({ password: ownPassword, id: z.optional(passkeyId), ...ownProof }),
  target: 'admin:{adminId}',
  data: z.null(),
  middleware: ['throttle:factor'],
  errors: ['admin.not_found', 'factor.not_set', 'factor.required', 'passkey.not_found', 'version_conflict'],
  reference: {
    description: {
      zh_CN: '移除 `id` 指定的通行密钥；未指定时移除身份验证器应用。最后一项移除后，恢复码也失效。',
      en: 'Removes the passkey `id`, or the authenticator app without one. With the last of them, the recovery codes end too.',
    },
  },
  handler: ({ adminId, body }) => removeOwnFactor(adminId, body),
});
