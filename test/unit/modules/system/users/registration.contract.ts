import { describe, expect, test } from '@jest/globals';
import { logInUser } from '#modules/System/users/login.ts';
import { registerUser } from '#modules/System/users/register.ts';
import { outcomesOf, tally } from '../../../../support/database.ts';
import {
  expireCode,
  giveCode,
  h5,
  newMobile,
  newUser,
  noWechat,
  ownerOf,
  password,
  wrongCodeFor,
} from './fixture.ts';

const register = (mobile: string, code: string) => registerUser({ terminal: h5, mobile, code, password });

export function describeRegistration(): void {
  describe('registration', () => {
    test('creates a user who logs in by password', async () => {
      const mobile = newMobile();

      const { user, is_new } = await register(mobile, await giveCode(mobile, 'register'));

      expect(is_new).toBe(true);
      const login = await logInUser({ terminal: h5, scene: 'password', mobile, password }, noWechat);
      expect(login).toMatchObject({ is_new: false, user: { id: user.id } });
    });

    test('of one mobile twice at once creates one user', async () => {
      for (let round = 0; round < 5; round += 1) {
        const mobile = newMobile();
        const code = await giveCode(mobile, 'register');

        const outcomes = await outcomesOf([register(mobile, code), register(mobile, code)]);

        expect(tally(outcomes)).toEqual({ done: 1, 'user.mobile_exists': 1 });
        expect(await ownerOf(mobile)).toEqual(expect.any(String));
      }
    });

    test('reports a used mobile only for the correct code', async () => {
      const mobile = newMobile();
      const { id } = await newUser({ mobile });
      const code = await giveCode(mobile, 'register');

      const wrong = await outcomesOf([register(mobile, wrongCodeFor(code))]);
      const right = await outcomesOf([register(mobile, code)]);

      expect([...wrong, ...right]).toEqual(['auth.code_invalid', 'user.mobile_exists']);
      expect(await ownerOf(mobile)).toBe(id);
    });

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
