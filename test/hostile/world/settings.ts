import { login } from '#modules/System/admins/settings.ts';
import { ai } from '#modules/System/assistant/settings.ts';
import { storage, upload } from '#modules/System/files/settings.ts';
import { basics } from '#modules/System/site/settings.ts';
import { sms } from '#modules/System/users/sms/settings.ts';
import { wechat } from '#modules/System/users/wechat/settings.ts';
import { writeValues } from '#shared/settings/store.ts';
import { assistantAccess } from './assistant.ts';

/** Settings with which all routes work and no request leaves this machine. */
export async function restoreSettings(assistantUrl: string): Promise<void> {
  const { key, model } = assistantAccess;
  await writeValues(basics, { sys_status: '1', closed_message: '' });
  await writeValues(storage, { default: 'local' });
  await writeValues(upload, { image_max_size: '', video_max_size: '', file_max_size: '', guests: 'image' });
  await writeValues(login, { captcha_enabled: false });
  await writeValues(sms, { driver: 'local' });
  // The discard port: connections are refused at once.
  await writeValues(wechat, { base_url: 'http://127.0.0.1:9' });
  await writeValues(ai, { enabled: true, base_url: assistantUrl, api_key: key, model, max_steps: 3 });
}
