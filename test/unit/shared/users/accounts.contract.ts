import { describe, expect, test } from '@jest/globals';
import { getItem } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { bindMobile } from '#shared/users/bind-mobile.ts';
import { changePassword } from '#shared/users/change-password.ts';
import { editProfile, setUserStatus } from '#shared/users/edit-user.ts';
import { getUser } from '#shared/users/find-user.ts';
import { listUsers } from '#shared/users/list-users.ts';
import { logInUser } from '#shared/users/login.ts';
import { outcomesOf, tally } from '../../../support/database.ts';
import {
  findCaller,
  giveCode,
  newMobile,
  newUser,
  newUserWithPassword,
  ownerOf,
  password,
  wrongCodeFor,
} from './fixture.ts';
import { wechatSettings } from './wechat-fixture.ts';

const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

async function logIn(mobile: string, secret = password) {
  const login = { terminal: 3, scene: 'password', mobile, password: secret } as const;
  const { token } = await logInUser(login, wechatSettings());
  return { token, sessionId: (await findCaller(token)).session.id };
}

/** What happens to users once they are there. */
export function describeAccounts(): void {
  describe('binding a mobile', () => {
    test('moves the user to it and frees the old one', async () => {
      const [old, next] = [newMobile(), newMobile()];
      const { id } = await newUser({ mobile: old });

      const user = await bindMobile(id, next, await giveCode(next, 'bind_mobile'));

      expect(user).toEqual(await getUser(id));
      expect(await Promise.all([old, next].map(ownerOf))).toEqual([undefined, id]);
    });

    test('gives a first one, and takes the own one again', async () => {
      const mobile = newMobile();
      const { id } = await newUser();

      await bindMobile(id, mobile, await giveCode(mobile, 'bind_mobile'));
      await bindMobile(id, mobile, await giveCode(mobile, 'bind_mobile'));

      expect(await ownerOf(mobile)).toBe(id);
    });

    test("refuses another's only to who has the right code, and uses the code up", async () => {
      const mobile = newMobile();
      const [owner, { id }] = [await newUser({ mobile }), await newUser()];
      const code = await giveCode(mobile, 'bind_mobile');

      const outcomes = [
        ...(await outcomesOf([bindMobile(id, mobile, wrongCodeFor(code))])),
        ...(await outcomesOf([bindMobile(id, mobile, code)])),
        ...(await outcomesOf([bindMobile(id, mobile, code)])),
      ];

      expect(outcomes).toEqual(['auth.code_invalid', 'user.mobile_exists', 'auth.code_invalid']);
      expect(await ownerOf(mobile)).toBe(owner.id);
      expect((await getUser(id)).mobile).toBeNull();
    });

    test('of one mobile by two users at once makes one of them its owner', async () => {
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
    test('ends every session but the one that asks', async () => {
      const { id, mobile } = await newUserWithPassword();
      const [mine, other] = [await logIn(mobile), await logIn(mobile)];

      await changePassword(id, {
        password: 'another password',
        oldPassword: password,
        sessionId: mine.sessionId,
      });

      expect(await outcomesOf([findCaller(mine.token), findCaller(other.token)])).toEqual([
        'done',
        'auth.token_revoked',
      ]);
      expect(await outcomesOf([logIn(mobile), logIn(mobile, 'another password')])).toEqual([
        'auth.credentials_invalid',
        'done',
      ]);
    });

    test('needs the old one where one is set', async () => {
      const { id, mobile } = await newUserWithPassword();
      const { token, sessionId } = await logIn(mobile);

      const outcomes = await outcomesOf([
        changePassword(id, { password: 'another password', sessionId }),
        changePassword(id, { password: 'another password', oldPassword: 'wrong', sessionId }),
      ]);

      expect(outcomes).toEqual(['request.invalid', 'request.invalid']);
      expect(await outcomesOf([logIn(mobile), findCaller(token)])).toEqual(['done', 'done']);
    });

    test('twice at once lets one stand', async () => {
      const { id, mobile } = await newUserWithPassword();
      const { sessionId } = await logIn(mobile);
      const change = (to: string) => changePassword(id, { password: to, oldPassword: password, sessionId });

      const outcomes = await outcomesOf([change('first password'), change('second password')]);

      expect(tally(outcomes)).toEqual({ done: 1, version_conflict: 1 });
    });

    test('is refused to a session that ended meanwhile, and changes nothing', async () => {
      const { id, mobile } = await newUserWithPassword();

      const change = { password: 'another password', oldPassword: password, sessionId: 'gone' };

      expect(await outcomesOf([changePassword(id, change)])).toEqual(['auth.token_revoked']);
      expect(await outcomesOf([logIn(mobile)])).toEqual(['done']);
    });
  });

  describe('a user', () => {
    test('who is disabled loses every session for good', async () => {
      const { id, mobile } = await newUserWithPassword();
      const { token } = await logIn(mobile);

      await setUserStatus(id, 'disabled');
      const whileDisabled = await outcomesOf([findCaller(token)]);
      await setUserStatus(id, 'enabled');

      expect(whileDisabled).toEqual(['auth.principal_disabled']);
      expect(await outcomesOf([findCaller(token), logIn(mobile)])).toEqual(['auth.token_revoked', 'done']);
    });

    test('changes nickname and avatar, shown at once', async () => {
      const { id, mobile } = await newUserWithPassword();
      const { token } = await logIn(mobile);

      const edited = await editProfile(id, { nickname: 'Ann', avatar: undefined });

      expect(edited).toMatchObject({ nickname: 'Ann', avatar: '' });
      expect((await findCaller(token)).principal).toEqual(edited);
      expect(await editProfile(id, {})).toEqual(edited);
    });

    test('who does not exist is not made by a change', async () => {
      const outcomes = await outcomesOf([
        editProfile(unknownId, { nickname: 'x' }),
        editProfile(unknownId, {}),
        setUserStatus(unknownId, 'disabled'),
        setUserStatus(unknownId, 'enabled'),
      ]);

      expect(outcomes).toEqual(Array(4).fill('user.not_found'));
      expect(await getItem(keys.user(unknownId))).toBeUndefined();
    });
  });

  describe('the list of users', () => {
    test('begins with the newest and goes on by cursor', async () => {
      const users = [await newUser(), await newUser(), await newUser()];

      const first = await listUsers({ limit: 2 });
      const second = await listUsers({ limit: 1, cursor: first.next_cursor ?? '' });

      expect([...first.list, ...second.list]).toEqual(users.reverse());
    });

    test('finds one by the whole mobile, and nobody by another', async () => {
      const mobile = newMobile();
      const user = await newUser({ mobile });

      expect(await listUsers({ limit: 20, mobile })).toEqual({ list: [user], next_cursor: null });
      expect(await listUsers({ limit: 20, mobile: newMobile() })).toEqual({ list: [], next_cursor: null });
    });

    test('takes no cursor of the whole list for a mobile', async () => {
      await Promise.all([newUser(), newUser()]);
      const { next_cursor } = await listUsers({ limit: 1 });

      const outcomes = await outcomesOf([
        listUsers({ limit: 1, mobile: newMobile(), cursor: next_cursor ?? '' }),
        listUsers({ limit: 1, cursor: 'abc' }),
      ]);

      expect(outcomes).toEqual(['request.invalid', 'request.invalid']);
    });
  });
}
