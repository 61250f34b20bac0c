import { describe, expect, test } from '@jest/globals';
import { registerUser } from '#modules/System/users/register.ts';
import { outcomesOf } from '../../../../support/database.ts';
import { expireCode, giveCode, h5, newMobile, ownerOf, password } from './fixture.ts';

const register = (mobile: string, code: string) => registerUser({ terminal: h5, mobile, code, password });

export function describeRegistration(): void {
  describe('registration', () => {
    test('refuses a code that was used, is expired, or is of another scene', async () => {
      const [used, old, other] = [newMobile(), newMobile(), newMobile()];
      const code = await giveCode(used, 'bind_mobile');
      const oldCode = await giveCode(old, 'register');
      await expireCode(old, 'register');
      const loginCode = await giveCode(other, 'login');

      const outcomes = await outcomesOf([
        register(used, code),
        register(old, oldCode),
        register(other, loginCode),
      ]);

      expect(outcomes).toEqual(Array(3).fill('auth.code_invalid'));
      expect(await Promise.all([used, old, other].map(ownerOf))).toEqual([undefined, undefined, undefined]);
    });
  });
}
