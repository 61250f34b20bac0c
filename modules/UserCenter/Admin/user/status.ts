import * as z from 'zod/mini';
import { status, userData } from '#modules/System/public/user-schema.ts';
import { admin } from '#shared/http/route.ts';
import { recordId } from '#shared/schema/text.ts';
import { setUserStatus } from '../../users/edit-user.ts';

export default admin.post({
  summary: { zh_CN: '启用或停用用户', en: 'Enable or disable a user' },
  body: z.strictObject({ id: recordId, status }),
  data: userData,
  errors: ['user.not_found'],
  handler: ({ body }) => setUserStatus(body.id, body.status),
});
