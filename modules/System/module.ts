import { defineModule } from '#shared/module/module.ts';
import { basics } from '#shared/settings/groups/basics.ts';
import { login } from '#shared/settings/groups/login.ts';
import { sms } from '#shared/settings/groups/sms.ts';
import { wechat } from '#shared/settings/groups/wechat.ts';
import { dictionaries } from './data/dictionaries.ts';

export default defineModule({
  name: 'System',
  title: { zh_CN: '系统', en: 'System' },
  version: '0.1.0',
  configs: [basics, login, sms, wechat],
  dictionaries,
});
