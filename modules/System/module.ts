import { defineModule } from '#shared/module/module.ts';
import { ai } from '#shared/settings/groups/ai.ts';
import { aliyun } from '#shared/settings/groups/aliyun.ts';
import { basics } from '#shared/settings/groups/basics.ts';
import { login } from '#shared/settings/groups/login.ts';
import { qcloud } from '#shared/settings/groups/qcloud.ts';
import { qiniu } from '#shared/settings/groups/qiniu.ts';
import { sms } from '#shared/settings/groups/sms.ts';
import { storage } from '#shared/settings/groups/storage.ts';
import { upload } from '#shared/settings/groups/upload.ts';
import { wechat } from '#shared/settings/groups/wechat.ts';
import { dictionaries } from './data/dictionaries.ts';

export default defineModule({
  name: 'System',
  title: { zh_CN: '系统', en: 'System' },
  version: '0.1.0',
  configs: [basics, storage, qiniu, aliyun, qcloud, upload, login, sms, wechat, ai],
  dictionaries,
});
