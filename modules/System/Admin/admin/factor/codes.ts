import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { ownPassword } from '../../../admins/schema.ts';
import { renewCodes } from '../../../factors/change-factor.ts';
import { ownProof } from '../../../factors/proof-schema.ts';
import { recoveryCodes } from '../../../factors/schema.ts';

export default admin.post({
  summary: { zh_CN: '更换恢复码', en: 'Replace your recovery codes' },
  right: 'login',
  body: z.strictObject({ password: ownPassword, ...ownProof }),
  target: 'admin:{adminId}',
  data: z.strictObject({ codes: recoveryCodes }),
  middleware: ['throttle:factor'],
  errors: ['admin.not_found', 'factor.not_set', 'version_conflict'],
  handler: ({ adminId, body }) => renewCodes(adminId, body),
});
