import { api } from '#shared/http/route.ts';
import { userData } from '../../users/schema.ts';

export default api.get({
  summary: { zh_CN: '当前用户', en: 'The current user' },
  data: userData,
  handler: async ({ user }) => user,
});
