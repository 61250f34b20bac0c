import { userData } from '#modules/System/public/user-schema.ts';
import { api } from '#shared/http/route.ts';

export default api.get({
  summary: { zh_CN: '个人资料', en: 'Profile of the current user' },
  data: userData,
  handler: async ({ user }) => user,
});
