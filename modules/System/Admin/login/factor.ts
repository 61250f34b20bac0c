import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { giveFactor } from '../../factors/give-factor.ts';
import { ownProof } from '../../factors/proof-schema.ts';

export default admin.post({
  summary: { zh_CN: '再次验证两步验证', en: 'Give your second factor once more' },
  right: 'login',
  body: z.strictObject(ownProof),
  target: 'admin:{adminId}',
  data: z.null(),
  middleware: ['throttle:factor'],
  errors: ['admin.not_found', 'factor.not_set', 'version_conflict'],
  reference: {
    description: {
      zh_CN: '此后 10 分钟内可调用返回 `auth.factor_required` 的接口。',
      en: 'For 10 minutes, routes that answered `auth.factor_required` can be called.',
    },
  },
  handler: ({ adminId, sessionId, body }) => giveFactor(adminId, sessionId, body),
});
