import { defineModule } from '#shared/module/module.ts';
import { dictionaries } from './articles/dictionaries.ts';

export default defineModule({
  name: 'Article',
  title: { zh_CN: '文章', en: 'Articles' },
  version: '0.1.0',
  adminFolders: {
    article: {
      zh_CN: '文章',
      en: 'Articles',
      records: 'article',
      purpose: {
        zh_CN: '网站和应用向用户展示的文章。',
        en: 'Articles that the site and the apps show to users.',
      },
    },
  },
  requires: ['System'],
  roles: { editor: ['article:write'], auditor: ['article:read'] },
  dictionaries,
});
