import { credential, httpUrl } from '#shared/schema/text.ts';
import { defineConfigGroup, type SettingsOf, setting, textSetting } from '#shared/settings/group.ts';

/** The mini-program and the official account for logins. */
export const wechat = defineConfigGroup({
  name: 'wechat',
  title: { zh_CN: '微信', en: 'WeChat' },
  keys: {
    base_url: setting({
      schema: httpUrl(500),
      default: 'https://api.weixin.qq.com',
      endpoint: true,
      description: { zh_CN: '微信接口地址', en: "Base URL of WeChat's API" },
    }),
    mini_app_id: textSetting(credential(200), '小程序 AppID', 'AppID of the mini-program'),
    mini_secret: textSetting(credential(200), '小程序 AppSecret', 'AppSecret of the mini-program', {
      secret: true,
    }),
    official_app_id: textSetting(credential(200), '公众号 AppID', 'AppID of the official account'),
    official_secret: textSetting(credential(200), '公众号 AppSecret', 'AppSecret of the official account', {
      secret: true,
    }),
  },
});

export type WechatSettings = SettingsOf<typeof wechat>;
