import { describe, expect, test } from '@jest/globals';
import { sendSmsCode } from '#modules/System/users/send-code.ts';
import type { sms } from '#modules/System/users/sms/settings.ts';
import { checkSmsCode } from '#modules/System/users/sms-codes.ts';
import { getItem } from '#shared/db/items.ts';
import type { SettingsOf } from '#shared/settings/group.ts';
import { outcomesOf } from '../../../../support/database.ts';
import { keys } from '../../../../support/keys.ts';
import { giveCode, newMobile } from './fixture.ts';

const unset: SettingsOf<typeof sms> = {
  driver: '',
  access_key: '',
  secret_key: '',
  sign_name: '',
  template_login: '',
  template_register: '',
  template_bind_mobile: '',
  sdk_app_id: '',
  region: '',
  endpoint: '',
};

/** Codes that could not be sent; sending itself is tested over HTTP. */
export function describeSending(): void {
  describe('a code that the driver refuses', () => {
    // No template is set: the driver refuses before it calls the provider.
    const broken = { ...unset, driver: 'aliyun', access_key: 'x', secret_key: 'y', sign_name: 'z' } as const;

    test('is not stored, and neither is the one before', async () => {
      const mobile = newMobile();
      const before = await giveCode(mobile, 'login');

      const outcomes = await outcomesOf([sendSmsCode({ mobile, scene: 'login' }, broken)]);

      expect(outcomes).toEqual(['sms.failed']);
      expect(await getItem(keys.smsCode('login', mobile))).toBeUndefined();
      await expect(checkSmsCode({ mobile, scene: 'login' }, before)).rejects.toThrow('auth.code_invalid');
    });

    test('counts for the day', async () => {
      const mobile = newMobile();
      const send = () => sendSmsCode({ mobile, scene: 'login' }, { ...unset, driver: 'aliyun' });

      const outcomes = [];
      for (let index = 0; index < 4; index += 1) outcomes.push(...(await outcomesOf([send()])));

      expect(outcomes).toEqual(['sms.failed', 'sms.failed', 'sms.failed', 'auth.captcha_required']);
    });
  });
}
