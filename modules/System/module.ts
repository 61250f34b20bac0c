import { defineModule } from '#shared/module/module.ts';
import { dictionaries } from './data/dictionaries.ts';

export default defineModule({
  name: 'System',
  title: { zh_CN: '系统', en: 'System' },
  version: '0.1.0',
  dictionaries,
});
