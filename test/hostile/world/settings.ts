import { ai } from '#shared/settings/groups/ai.ts';
import { basics } from '#shared/settings/groups/basics.ts';
import { login } from '#shared/settings/groups/login.ts';
import { sms } from '#shared/settings/groups/sms.ts';
import { storage } from '#shared/settings/groups/storage.ts';
import { upload } from '#shared/settings/groups/upload.ts';
import { wechat } from '#shared/settings/groups/wechat.ts';
import { writeValues } from '#shared/settings/store.ts';
import { assistantAccess } from './assistant.ts';

/** Settings under which all routes work, and nothing leaves this machine. */
export async function restoreSettings(assistantUrl: string): Promise<void> {
  const { key, model } = assistantAccess;
  await writeValues(basics, { sys_status: '1', closed_message: '' });
  await writeValues(storage, { default: 'local' });
  await writeValues(upload, { image_max_size: '', video_max_size: '', file_max_size: '' });
  await writeValues(login, { captcha_enabled: false });
  await writeValues(sms, { driver: 'local' });
  // The discard port: what is sent there is refused at once.
  await writeValues(wechat, { base_url: 'http://127.0.0.1:9' });
  await writeValues(ai, { enabled: true, base_url: assistantUrl, api_key: key, model, max_steps: 3 });
}
