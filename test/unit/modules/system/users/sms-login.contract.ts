import { describe, expect, test } from '@jest/globals';
import { getUserDetail } from '#modules/System/users/find-user.ts';
import { logInUser } from '#modules/System/users/login.ts';
import { prefetchCode, prefetchUser } from '#modules/System/users/prefetch.ts';
import { bindMobile } from '#modules/UserCenter/users/bind-mobile.ts';
import { setUserStatus } from '#modules/UserCenter/users/edit-user.ts';
import { hashingsOf } from '../../../../support/count-hashings.ts';
import { outcomesOf, tally } from '../../../../support/database.ts';
import {
  findCaller,
  giveCode,
  h5,
  newMobile,
  newUser,
  newUserWithPassword,
  noWechat,
  ownerOf,
  password,
  wrongCodeFor,
} from './fixture.ts';

const bySms = (mobile: string, code: string, terminal: 1 | 2 | 3 = h5) =>
  logInUser({ terminal, scene: 'sms', mobile, code }, noWechat);
const byPassword = (mobile: string, secret = password) =>
  logInUser({ terminal: h5, scene: 'password', mobile, password: secret }, noWechat);

/** Logins without WeChat. */
export function describeSmsLogin(): void {
  describe('login by SMS', () => {
    test('creates the user first and finds the same user later', async () => {
      const mobile = newMobile();

      const first = await bySms(mobile, await giveCode(mobile, 'login'));
      const second = await bySms(mobile, await giveCode(mobile, 'login'), 1);

      expect([first.is_new, second.is_new]).toEqual([true, false]);
      expect(second.user).toEqual(first.user);
      expect((await findCaller(second.token)).principal).toEqual(first.user);
      expect(await getUserDetail(first.user.id)).toMatchObject({ terminal: 1 });
    });

    test('accepts a code once, for new and known users', async () => {
      for (const isKnown of [false, true]) {
        const mobile = newMobile();
        if (isKnown) await newUser({ mobile });
        const code = await giveCode(mobile, 'login');

        const outcomes = await outcomesOf(Array.from({ length: 5 }, () => bySms(mobile, code)));

        expect(tally(outcomes)).toEqual({ done: 1, 'auth.code_invalid': 4 });
      }
    });

    test('reports a disabled user only for the correct code, which is used then', async () => {
      const mobile = newMobile();
      const { id } = await newUser({ mobile });
      await setUserStatus(id, 'disabled');
      const code = await giveCode(mobile, 'login');

      const outcomes = [
        ...(await outcomesOf([bySms(mobile, wrongCodeFor(code))])),
        ...(await outcomesOf([bySms(mobile, code)])),
        ...(await outcomesOf([bySms(mobile, code)])),
      ];

      expect(outcomes).toEqual(['auth.code_invalid', 'auth.principal_disabled', 'auth.code_invalid']);
    });

    test('does not log in a user who lost the mobile since its claim was read', async () => {
      const [mobile, next] = [newMobile(), newMobile()];
      const { id } = await newUser({ mobile });
      const code = await giveCode(mobile, 'login');
      const reads = await prefetchCode(mobile, 'login');
      await bindMobile(id, next, await giveCode(next, 'bind_mobile'));

      const login = await logInUser({ terminal: h5, scene: 'sms', mobile, code }, noWechat, reads);

      expect(login.is_new).toBe(true);
      expect(await ownerOf(mobile)).toBe(login.user.id);
      expect(await ownerOf(next)).toBe(id);
    });

    test('logs in a user who got the mobile since its claim was read', async () => {
      const [mobile, next] = [newMobile(), newMobile()];
      const [before, after] = [await newUser({ mobile }), await newUser()];
      const code = await giveCode(mobile, 'login');
      const reads = await prefetchCode(mobile, 'login');
      await bindMobile(before.id, next, await giveCode(next, 'bind_mobile'));
      await bindMobile(after.id, mobile, await giveCode(mobile, 'bind_mobile'));

      const login = await logInUser({ terminal: h5, scene: 'sms', mobile, code }, noWechat, reads);

      expect(login).toMatchObject({ is_new: false, user: { id: after.id } });
    });
  });

  describe('login by password', () => {
    test('hashes for unknown mobiles and users without password as for a wrong password', async () => {
      const { mobile: bare } = await newUser({ mobile: newMobile() });
      const { mobile: known } = await newUserWithPassword();

      const [wrong, ...others] = [
        await hashingsOf(() => byPassword(known, 'wrong password')),
        await hashingsOf(() => byPassword(newMobile())),
        await hashingsOf(() => byPassword(String(bare))),
      ];

      expect(wrong).toHaveLength(1);
      expect(others).toEqual([wrong, wrong]);
    });

    test('does not log in a user who lost the mobile since the user was read', async () => {
      const [{ id, mobile }, next] = [await newUserWithPassword(), newMobile()];
      const reads = await prefetchUser(mobile);
      await bindMobile(id, next, await giveCode(next, 'bind_mobile'));

      const login = { terminal: h5, scene: 'password', mobile, password } as const;

      expect(await outcomesOf([logInUser(login, noWechat, reads)])).toEqual(['auth.credentials_invalid']);
    });
  });
}
