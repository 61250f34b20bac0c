import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { storeSetUp } from '../../../factors/change-factor.ts';
import { factorCode, recoveryCodes, setup } from '../../../factors/schema.ts';

export default admin.post({
  summary: { zh_CN: '确认启用两步验证', en: 'Set up a second factor' },
  right: 'login',
  body: z.strictObject({ setup, code: factorCode }),
  target: 'admin:{adminId}',
  data: z.strictObject({ codes: recoveryCodes }),
  middleware: ['throttle:factor'],
  errors: ['admin.not_found', 'version_conflict'],
  handler: ({ adminId, body: { setup, code } }) => storeSetUp(adminId, setup, code),
});
