import * as z from 'zod/mini';
import { api } from '#shared/http/route.ts';
import { editProfile } from '#shared/users/edit-user.ts';
import { avatar, nickname, userData } from '#shared/users/schema.ts';

export default api.post({
  summary: { zh_CN: '编辑个人资料', en: 'Edit the profile' },
  body: z.strictObject({ nickname: z.optional(nickname), avatar: z.optional(avatar) }),
  data: userData,
  errors: ['user.not_found'],
  handler: ({ userId, body }) => editProfile(userId, body),
});
