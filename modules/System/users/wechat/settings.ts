import { credential, httpUrl } from '#shared/schema/text.ts';
import { defineConfigGroup, type SettingsOf, setting } from '#shared/settings/group.ts';

/** The mini-program and the official account for logins. */
export const wechat = defineConfigGroup({
  name: 'wechat',
  keys: {
    base_url: setting({
      schema: httpUrl(500),
      default: 'https://api.weixin.qq.com',
      endpoint: true,
      description: { zh_CN: '微信接口地址', en: "Base URL of WeChat's API" },
    }),
    mini_app_id: setting({
      schema: credential(200),
      default: '',
      description: { zh_CN: '小程序 AppID', en: 'AppID of the mini-program' },
    }),
    mini_secret: setting({
      schema: credential(200),
      default: '',
      secret: true,
      description: { zh_CN: '小程序 AppSecret', en: 'AppSecret of the mini-program' },
    }),
    official_app_id: setting({
      schema: credential(200),
      default: '',
      description: { zh_CN: '公众号 AppID', en: 'AppID of the official account' },
    }),
    official_secret: setting({
      schema: credential(200),
      default: '',
      secret: true,
      description: { zh_CN: '公众号 AppSecret', en: 'AppSecret of the official account' },
    }),
  },
});

export type WechatSettings = SettingsOf<typeof wechat>;
