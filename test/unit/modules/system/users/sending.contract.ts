import { describe, expect, test } from '@jest/globals';
import { sendSmsCode } from '#modules/System/users/send-code.ts';
import type { sms } from '#modules/System/users/sms/settings.ts';
import type { SettingsOf } from '#shared/settings/group.ts';
import { outcomesOf } from '../../../../support/database.ts';
import { newMobile } from './fixture.ts';

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
    test('counts for the day', async () => {
      const mobile = newMobile();
      const send = () => sendSmsCode({ mobile, scene: 'login' }, { ...unset, driver: 'aliyun' });

      const outcomes = [];
      for (let index = 0; index < 4; index += 1) outcomes.push(...(await outcomesOf([send()])));

      expect(outcomes).toEqual(['sms.failed', 'sms.failed', 'sms.failed', 'auth.captcha_required']);
    });
  });
}
