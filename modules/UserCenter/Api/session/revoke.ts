import * as z from 'zod/mini';
import { revokeSession, sessionId } from '#shared/auth/own-sessions.ts';
import { api } from '#shared/http/route.ts';

export default api.post({
  summary: { zh_CN: '结束自己的登录会话', en: 'End one of your sessions' },
  body: z.strictObject({ id: sessionId }),
  data: z.null(),
  handler: ({ userId, body: { id } }) => revokeSession('user', userId, id),
});
