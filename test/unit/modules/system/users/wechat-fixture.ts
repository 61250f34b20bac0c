import { afterAll, beforeAll } from '@jest/globals';
import type { WechatSettings } from '#modules/System/users/wechat/settings.ts';
import { startWechat, type WechatDouble } from '../../../../doubles/wechat.ts';

export const mini = { appId: 'wx-mini', secret: 'mini-secret' };
export const official = { appId: 'wx-official', secret: 'official-secret' };

let double: WechatDouble | undefined;

/** Runs WeChat's double during the tests of a file. */
export function useWechat(): void {
  beforeAll(async () => {
    double = await startWechat({ apps: [mini, official] });
  });
  afterAll(() => double?.stop());
}

export function wechat(): WechatDouble {
  if (!double) throw new Error('useWechat has not run');
  return double;
}

/** The settings that point to the double. */
export const wechatSettings = (): WechatSettings => ({
  base_url: double?.url ?? '',
  mini_app_id: mini.appId,
  mini_secret: mini.secret,
  official_app_id: official.appId,
  official_secret: official.secret,
});
