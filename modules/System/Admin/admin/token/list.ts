import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
import { apiTokenData, listApiTokens } from '../../../admins/api-tokens.ts';
import { assertManageable, ofOthers, tokenOwner } from '../../../admins/tokens-of-others.ts';

export default admin.get({
  summary: { zh_CN: 'API 令牌和连接列表', en: 'List API tokens and connections' },
  // The own ones are free, those of another administrator need the permission.
  right: 'handler',
  sensitive: true,
  query: z.object({ ...cursorQuery, owner_id: z.optional(tokenOwner) }),
  data: cursorListOf(apiTokenData),
  needs: ['permissions'],
  errors: ['admin.not_found', 'role.exceeds'],
  reference: { description: ofOthers },
  handler: async (context) => {
    const { adminId, tokenEpoch, tokenId, query } = context;
    const { owner_id = adminId, ...page } = query;
    const isOwn = owner_id === adminId && !tokenId;
    const epoch = isOwn ? tokenEpoch : await assertManageable(owner_id, context);
    return listApiTokens(owner_id, page, epoch);
  },
});
