import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { storeSetUp } from '../../../factors/change-factor.ts';
import { recoveryCodes } from '../../../factors/schema.ts';
import { firstProof } from '../../../factors/set-up-schema.ts';

export default admin.post({
  summary: { zh_CN: '确认启用两步验证', en: 'Set up a second factor' },
  right: 'login',
  body: z.strictObject(firstProof),
  target: 'admin:{adminId}',
  data: z.strictObject({ codes: recoveryCodes }),
  middleware: ['throttle:factor'],
  errors: ['admin.not_found', 'passkey.exists', 'passkey.too_many', 'version_conflict'],
  reference: {
    description: {
      zh_CN: '提供应用的首个验证码，或新的通行密钥。原有恢复码不变时，`codes` 为空。',
      en: 'Takes the first code of the app, or the new passkey. `codes` is empty if the recovery codes stay as they are.',
    },
  },
  handler: ({ adminId, body }) => storeSetUp(adminId, body),
});
