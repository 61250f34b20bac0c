import { defineModule } from '#shared/module/module.ts';
import { engineSettings } from '#shared/storage/engines.ts';
import { login } from './admins/settings.ts';
import { ai } from './assistant/settings.ts';
import { dictionaries } from './dictionaries.ts';
import { storage, upload } from './files/settings.ts';
import { basics } from './site/settings.ts';
import { sms } from './users/sms/settings.ts';
import { wechat } from './users/wechat/settings.ts';

export default defineModule({
  name: 'System',
  title: { zh_CN: '系统', en: 'System' },
  version: '0.1.0',
  isNeeded: true,
  configs: [basics, storage, ...engineSettings, upload, login, sms, wechat, ai],
  dictionaries,
});
