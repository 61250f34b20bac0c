import * as z from 'zod/mini';
import { avatar, nickname, userData } from '#modules/System/public/user-schema.ts';
import { api } from '#shared/http/route.ts';
import { editProfile } from '../../users/edit-user.ts';

export default api.post({
  summary: { zh_CN: '编辑个人资料', en: 'Edit the profile' },
  body: z.strictObject({ nickname: z.optional(nickname), avatar: z.optional(avatar) }),
  data: userData,
  errors: ['user.not_found'],
  handler: ({ userId, body }) => editProfile(userId, body),
});
