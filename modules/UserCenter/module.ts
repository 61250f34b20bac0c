import { defineModule } from '#shared/module/module.ts';

export default defineModule({
  name: 'UserCenter',
  title: { zh_CN: '用户中心', en: 'User center' },
  version: '0.1.0',
  adminFolders: {
    user: {
      zh_CN: '用户',
      en: 'Users',
      records: 'user',
      purpose: {
        zh_CN: '在网站或应用注册的人；注册后显示在这里。',
        en: 'The people who have registered on the site or in an app.',
      },
    },
  },
  requires: ['System'],
  roles: { auditor: ['user-center:read'] },
});
