import * as z from 'zod/mini';
import { endSession } from '#shared/auth/session.ts';
import { admin } from '#shared/http/route.ts';

export default admin.post({
  summary: { zh_CN: '管理员退出登录', en: 'Log the administrator out' },
  right: 'login',
  body: z.strictObject({}),
  data: z.null(),
  handler: ({ sessionId }) => endSession(sessionId),
});
