import * as z from 'zod/mini';
import { listSessions, sessionData } from '#shared/auth/own-sessions.ts';
import { api } from '#shared/http/route.ts';
import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';

export default api.get({
  summary: { zh_CN: '自己的登录会话', en: 'List your sessions' },
  query: z.object(cursorQuery),
  data: cursorListOf(sessionData),
  handler: ({ userId, sessionId: current, sessionEpoch: epoch, query }) =>
    listSessions({ kind: 'user', principalId: userId, epoch, current }, query),
});
