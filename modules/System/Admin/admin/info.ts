import { admin } from '#shared/http/route.ts';
import { adminData } from '../../admins/schema.ts';

export default admin.get({
  summary: { zh_CN: '当前管理员', en: 'The current administrator' },
  data: adminData,
  handler: async ({ admin }) => admin,
});
