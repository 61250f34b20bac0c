import { describe, expect, test } from '@jest/globals';
import { getUser } from '#modules/System/users/find-user.ts';
import { bindMobile } from '#modules/UserCenter/users/bind-mobile.ts';
import { changePassword } from '#modules/UserCenter/users/change-password.ts';
import { setUserStatus } from '#modules/UserCenter/users/edit-user.ts';
import { hashPassword } from '#shared/auth/password.ts';
import { outcomesOf, tally } from '../../../../support/database.ts';
import {
  findCaller,
  giveCode,
  logIn,
  newMobile,
  newUser,
  newUserWithPassword,
  ownerOf,
  password,
} from './fixture.ts';

/** Changes of mobile and password. */
export function describeCredentials(): void {
  describe('binding a mobile', () => {
    test('binds a first mobile, and accepts the own mobile again', async () => {
      const mobile = newMobile();
      const { id } = await newUser();

      await bindMobile(id, mobile, await giveCode(mobile, 'bind_mobile'));
      await bindMobile(id, mobile, await giveCode(mobile, 'bind_mobile'));

      expect(await ownerOf(mobile)).toBe(id);
    });

    test('of one mobile by two users at once gives it to one of them', async () => {
      const mobile = newMobile();
      const users = [await newUser(), await newUser()];
      const code = await giveCode(mobile, 'bind_mobile');

      const outcomes = await outcomesOf(users.map(({ id }) => bindMobile(id, mobile, code)));

      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      const bound = (await Promise.all(users.map(({ id }) => getUser(id)))).filter((user) => user.mobile);
      expect(bound.map(({ id }) => id)).toEqual([await ownerOf(mobile)]);
    });

    test('of two mobiles at once leaves the user one, and no other claim', async () => {
      const mobiles = [newMobile(), newMobile()];
      const { id } = await newUser();
      const codes = await Promise.all(mobiles.map((mobile) => giveCode(mobile, 'bind_mobile')));

      const outcomes = await outcomesOf(
        mobiles.map((mobile, index) => bindMobile(id, mobile, codes[index] ?? '')),
      );

      const claimed = (await Promise.all(mobiles.map(ownerOf))).filter(Boolean);
      expect(claimed).toEqual([id]);
      expect(outcomes).toContain('done');
    });
  });

  describe('changing the password', () => {
    test('takes an older password that could not be set any more', async () => {
      const [mobile, weak] = [newMobile(), 'password1'];
      const { id } = await newUser({ mobile, passwordHash: await hashPassword(weak) });
      const { sessionId } = await logIn(mobile, weak);
      const change = (next: string) => changePassword(id, { password: next, oldPassword: weak, sessionId });

      expect(await outcomesOf([change(weak), change(`${mobile}!`)])).toEqual(
        Array(2).fill('request.invalid'),
      );
      expect(await outcomesOf([change('another password')])).toEqual(['done']);
    });

    test('twice at once keeps one change', async () => {
      const { id, mobile } = await newUserWithPassword();
      const { sessionId } = await logIn(mobile);
      const change = (to: string) => changePassword(id, { password: to, oldPassword: password, sessionId });

      const outcomes = await outcomesOf([change('first password'), change('second password')]);

      expect(tally(outcomes)).toEqual({ done: 1, version_conflict: 1 });
    });

    test('is refused if the session ended meanwhile, and changes nothing', async () => {
      const { id, mobile } = await newUserWithPassword();

      const change = { password: 'another password', oldPassword: password, sessionId: 'gone' };

      expect(await outcomesOf([changePassword(id, change)])).toEqual(['auth.token_revoked']);
      expect(await outcomesOf([logIn(mobile)])).toEqual(['done']);
    });

    test('does not restore a session that was revoked meanwhile, and changes nothing', async () => {
      const { id, mobile } = await newUserWithPassword();
      const { token, sessionId } = await logIn(mobile);
      await setUserStatus(id, 'disabled');
      await setUserStatus(id, 'enabled');

      const change = { password: 'another password', oldPassword: password, sessionId };

      expect(await outcomesOf([changePassword(id, change)])).toEqual(['auth.token_revoked']);
      expect(await outcomesOf([findCaller(token), logIn(mobile)])).toEqual(['auth.token_revoked', 'done']);
    });
  });
}
