import { randomBytes } from 'node:crypto';
import type { SmsSettings } from '#modules/System/users/sms/settings.ts';
import { type AliyunSmsRules, startAliyunSms } from '../../../../../doubles/aliyun-sms.ts';
import { type QcloudSmsRules, startQcloudSms } from '../../../../../doubles/qcloud-sms.ts';

/** Settings of a provider with unique keys. */
export function smsSettings(driver: SmsSettings['driver'], endpoint: string): SmsSettings {
  const isAliyun = driver === 'aliyun';
  return {
    driver,
    access_key: `AK${randomBytes(8).toString('hex')}`,
    secret_key: randomBytes(16).toString('hex'),
    sign_name: '管理后台 & co.',
    template_login: isAliyun ? 'SMS_1001' : '1001',
    template_register: isAliyun ? 'SMS_1002' : '1002',
    template_bind_mobile: isAliyun ? 'SMS_1003' : '1003',
    sdk_app_id: '1400006666',
    region: 'ap-beijing',
    endpoint,
  };
}

/** Alibaba Cloud's double, and settings that it accepts. */
export async function startAliyun(rules: Partial<AliyunSmsRules> = {}) {
  const settings = smsSettings('aliyun', '');
  const double = await startAliyunSms({
    keys: { [settings.access_key]: settings.secret_key },
    signNames: [settings.sign_name],
    templates: { SMS_1001: ['code'], SMS_1002: ['code'], SMS_1003: ['code'], SMS_2: ['code', 'minutes'] },
    ...rules,
  });
  return { double, settings: { ...settings, endpoint: double.url } };
}

/** Tencent Cloud's double, and settings that it accepts. */
export async function startQcloud(rules: Partial<QcloudSmsRules> = {}) {
  const settings = smsSettings('qcloud', '');
  const double = await startQcloudSms({
    keys: { [settings.access_key]: settings.secret_key },
    sdkAppIds: [settings.sdk_app_id],
    signNames: [settings.sign_name],
    templates: { '1001': 1, '1002': 1, '1003': 1, '2': 2 },
    ...rules,
  });
  return { double, settings: { ...settings, endpoint: double.url } };
}
