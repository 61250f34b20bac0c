import * as z from 'zod/mini';
import { credential, line, optionalUrl } from '#shared/schema/text.ts';
import { defineConfigGroup, type SettingsOf, setting, textSetting } from '#shared/settings/group.ts';
import { accessSettings, hostLabel } from '#shared/storage/engines/cloud-settings.ts';

/** Settings that each provider needs for every message; a template is needed for its scene only. */
const required: Partial<Record<string, readonly string[]>> = {
  aliyun: ['access_key', 'secret_key', 'sign_name'],
  qcloud: ['access_key', 'secret_key', 'sign_name', 'sdk_app_id'],
};

const { access_key, secret_key } = accessSettings;

const template = (zh_CN: string, en: string) =>
  textSetting(line(200), `短信模板：${zh_CN}`, `Template for ${en}`);

export const sms = defineConfigGroup({
  name: 'sms',
  title: { zh_CN: '短信', en: 'SMS' },
  keys: {
    driver: setting({
      schema: z.enum(['', 'local', 'aliyun', 'qcloud']),
      default: '',
      description: {
        zh_CN: '短信服务商，未设置时不发送短信；本地开发时短信写入文件',
        en: "SMS provider; if not set, no message is sent; on a developer's machine, messages go to a file",
      },
      hints: {
        options: {
          '': { zh_CN: '未设置', en: 'Not set' },
          local: { zh_CN: '本地文件', en: 'Local file' },
          aliyun: { zh_CN: '阿里云短信', en: 'Alibaba Cloud SMS' },
          qcloud: { zh_CN: '腾讯云短信', en: 'Tencent Cloud SMS' },
        },
      },
    }),
    access_key,
    secret_key,
    sign_name: textSetting(line(200), '短信签名', 'Signature'),
    template_login: template('登录', 'logins'),
    template_register: template('注册', 'registrations'),
    template_bind_mobile: template('绑定手机号', 'binding a mobile'),
    sdk_app_id: textSetting(
      credential(200),
      '短信应用 SdkAppId，仅用于腾讯云短信',
      'SdkAppId of the application, for Tencent Cloud SMS only',
    ),
    region: textSetting(
      hostLabel,
      '地域，仅用于腾讯云短信；留空为 ap-guangzhou',
      'Region, for Tencent Cloud SMS only; if empty, ap-guangzhou',
    ),
    endpoint: textSetting(
      optionalUrl(500),
      '接口地址，留空则用服务商地址',
      "URL of the API; if empty, the provider's own",
      { endpoint: true },
    ),
  },
  // Only a setting that this save makes missing is refused, so that a driver can be set up in several saves.
  findFaults: (given, settings) =>
    (required[String(settings.driver)] ?? [])
      .filter((name) => !settings[name])
      .filter((name) => Object.hasOwn(given, 'driver') || Object.hasOwn(given, name))
      .map((name) => ({ path: `sms.${name}`, message: 'rule.needed_setting' })),
});

/** An empty string is an unset value. */
export type SmsSettings = SettingsOf<typeof sms>;
