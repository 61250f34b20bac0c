import * as z from 'zod/mini';
import { listSessions, sessionData } from '#shared/auth/own-sessions.ts';
import { admin } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
import { readSessionEpoch, sessionsOfOthers } from '../../../admins/sessions-of-others.ts';
import { tokenOwner } from '../../../admins/tokens-of-others.ts';

export default admin.get({
  summary: { zh_CN: '登录会话列表', en: 'List sessions' },
  // The own ones are free, those of another administrator need the permission.
  right: 'handler',
  sensitive: true,
  query: z.object({ ...cursorQuery, owner_id: z.optional(tokenOwner) }),
  data: cursorListOf(sessionData),
  needs: ['permissions'],
  errors: ['admin.not_found', 'role.exceeds'],
  reference: { description: sessionsOfOthers },
  handler: async (context) => {
    const { adminId, sessionId: current, sessionEpoch, tokenId, query } = context;
    const { owner_id: principalId = adminId, ...page } = query;
    const isOwn = principalId === adminId && !tokenId;
    const epoch = isOwn ? sessionEpoch : await readSessionEpoch(principalId, context);
    return listSessions({ kind: 'admin', principalId, epoch, current }, page);
  },
});
