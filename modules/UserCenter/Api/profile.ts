import { userData } from '#modules/System/public/user-schema.ts';
import { api } from '#shared/http/route.ts';

export default api.get({
  summary: { zh_CN: '个人资料', en: 'Profile of the user who asks' },
  data: userData,
  handler: async ({ user }) => user,
});
