import * as z from 'zod/mini';
import { revokeSession, sessionId } from '#shared/auth/own-sessions.ts';
import { admin } from '#shared/http/route.ts';
import { readSessionEpoch, sessionsOfOthers } from '../../../admins/sessions-of-others.ts';
import { tokenOwner } from '../../../admins/tokens-of-others.ts';

export default admin.post({
  summary: { zh_CN: '结束登录会话', en: 'End a session' },
  // The own ones are free, those of another administrator need the permission.
  right: 'handler',
  sensitive: true,
  body: z.strictObject({ id: sessionId, owner_id: z.optional(tokenOwner) }),
  target: 'admin:{owner_id|adminId}',
  data: z.null(),
  needs: ['permissions'],
  errors: ['admin.not_found', 'role.exceeds'],
  reference: { description: sessionsOfOthers },
  handler: async (context) => {
    const { id, owner_id = context.adminId } = context.body;
    if (owner_id !== context.adminId || context.tokenId) await readSessionEpoch(owner_id, context);
    await revokeSession('admin', owner_id, id);
  },
});
