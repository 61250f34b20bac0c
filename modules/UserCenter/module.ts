import { defineModule } from '#shared/module/module.ts';

export default defineModule({
  name: 'UserCenter',
  title: { zh_CN: '用户中心', en: 'User center' },
  version: '0.1.0',
  adminFolders: { user: { zh_CN: '用户', en: 'Users', records: 'user' } },
  requires: ['System'],
  roles: { auditor: ['user-center:read'] },
});
