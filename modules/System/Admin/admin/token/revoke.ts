import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { revokeApiToken } from '../../../admins/api-tokens.ts';
import { assertManageable, ofOthers, tokenOwner } from '../../../admins/tokens-of-others.ts';

export default admin.post({
  summary: { zh_CN: '吊销 API 令牌或断开连接', en: 'Revoke an API token or a connection' },
  // The own ones are free, those of another administrator need the permission.
  right: 'handler',
  sensitive: true,
  recentFactor: true,
  body: z.strictObject({ id: recordId, owner_id: z.optional(tokenOwner) }),
  target: 'api_tokens:{owner_id|adminId}:{id}',
  data: z.null(),
  needs: ['permissions'],
  errors: ['admin.not_found', 'role.exceeds'],
  reference: { description: ofOthers },
  handler: async (context) => {
    const { id, owner_id = context.adminId } = context.body;
    if (owner_id !== context.adminId || context.tokenId) await assertManageable(owner_id, context);
    await revokeApiToken({ adminId: owner_id, id });
  },
});
