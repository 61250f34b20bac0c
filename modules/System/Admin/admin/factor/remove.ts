import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { ownPassword } from '../../../admins/schema.ts';
import { removeOwnFactor } from '../../../factors/change-factor.ts';
import { factorCode } from '../../../factors/schema.ts';

export default admin.post({
  summary: { zh_CN: '停用自己的两步验证', en: 'Remove your second factor' },
  right: 'login',
  body: z.strictObject({ password: ownPassword, code: factorCode }),
  target: 'admin:{adminId}',
  data: z.null(),
  middleware: ['throttle:factor'],
  errors: ['admin.not_found', 'factor.not_set', 'factor.required', 'version_conflict'],
  handler: ({ adminId, body }) => removeOwnFactor(adminId, body),
});
