import { defineModule } from '#shared/module/module.ts';
import { dictionaries } from './articles/dictionaries.ts';

export default defineModule({
  name: 'Article',
  title: { zh_CN: '文章', en: 'Articles' },
  version: '0.1.0',
  adminFolders: { article: { zh_CN: '文章', en: 'Articles', records: 'article' } },
  requires: ['System'],
  roles: { editor: ['article:write'], auditor: ['article:read'] },
  dictionaries,
});
