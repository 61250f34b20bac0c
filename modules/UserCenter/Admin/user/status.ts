import * as z from 'zod/mini';
import { admin } from '#shared/http/route.ts';
import { setUserStatus } from '#shared/users/edit-user.ts';
import { status, userData, userId } from '#shared/users/schema.ts';

export default admin.post({
  summary: { zh_CN: '启用或停用用户', en: 'Enable or disable a user' },
  body: z.strictObject({ id: userId, status }),
  data: userData,
  errors: ['user.not_found'],
  handler: ({ body }) => setUserStatus(body.id, body.status),
});
