import * as z from 'zod/mini';
import { endSession } from '#shared/auth/session.ts';
import { api } from '#shared/http/route.ts';

export default api.get({
  summary: { zh_CN: '用户退出登录', en: 'Log the user out' },
  data: z.null(),
  handler: ({ sessionId }) => endSession(sessionId),
});
