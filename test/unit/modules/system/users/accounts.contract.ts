import { describe, expect, test } from '@jest/globals';
import { getUserDetail } from '#modules/System/users/find-user.ts';
import { editProfile, setUserStatus } from '#modules/UserCenter/users/edit-user.ts';
import { listUsers } from '#modules/UserCenter/users/list-users.ts';
import { getItem, updateItem } from '#shared/db/items.ts';
import { markSpread } from '#shared/db/paging/spread-index.ts';
import { outcomesOf } from '../../../../support/database.ts';
import { indexes, keys } from '../../../../support/keys.ts';
import { logIn, newMobile, newUser, newUserWithPassword } from './fixture.ts';

const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Changes of existing users. */
export function describeAccounts(): void {
  describe('a user', () => {
    test('is accepted while the cache still holds an older epoch', async () => {
      const { id, mobile } = await newUserWithPassword();
      await logIn(mobile);
      await updateItem({
        Key: { ...keys.user(id) },
        UpdateExpression: 'ADD session_epoch :one',
        ExpressionAttributeValues: { ':one': 1 },
      });

      expect(await outcomesOf([logIn(mobile)])).toEqual(['done']);
    });

    test('is not created by a change', async () => {
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
    test('finds users by words of the nickname, or by the number', async () => {
      const [one, other] = [await newUser(), await newUser()];
      await editProfile(one.id, { nickname: 'Ｌena 小明明' });

      expect((await listUsers({ limit: 2, search: 'LENA 小明明' })).list.map(({ id }) => id)).toEqual([
        one.id,
      ]);
      expect((await listUsers({ limit: 2, search: other.sn })).list).toEqual([other]);
      expect(await listUsers({ limit: 2, search: 'Lena none' })).toEqual({ list: [], next_cursor: null });
    });

    test('refuses a cursor of the whole list for a mobile', async () => {
      await Promise.all([newUser(), newUser()]);
      const { next_cursor } = await listUsers({ limit: 1 });

      const outcomes = await outcomesOf([
        listUsers({ limit: 1, mobile: newMobile(), cursor: next_cursor ?? '' }),
        listUsers({ limit: 1, cursor: 'abc' }),
      ]);

      expect(outcomes).toEqual(['request.invalid', 'request.invalid']);
    });

    // The last of the list: from here on new users are listed in several partitions.
    test('shows new users first if it is spread over several partitions', async () => {
      const old = await newUser();
      await markSpread(indexes.usersByCreation);
      const users = [old];
      for (let count = 1; count <= 12; count++) users.push(await newUser());
      const ids = users.map(({ id }) => id).sort();

      const first = await listUsers({ limit: 8 });
      const second = await listUsers({ limit: 5, cursor: first.next_cursor ?? '' });

      expect([...first.list, ...second.list].map(({ id }) => id)).toEqual(ids.reverse());
      expect((await getItem(keys.user(users[1]?.id ?? '')))?.gsi1pk).toMatch(/^USER~[1-8]$/);
      const named = users.filter((_user, at) => at % 2 === 0).reverse();
      for (const { id } of named) await editProfile(id, { nickname: 'Zoë Spread' });
      const one = await listUsers({ limit: 3, search: 'spread ZOE' });
      const rest = await listUsers({ limit: 9, search: 'spread ZOE', cursor: one.next_cursor ?? '' });
      expect(one.list).toHaveLength(3);
      expect([...one.list, ...rest.list].map(({ id }) => id)).toEqual(named.map(({ id }) => id));
    });
  });

  describe('a login', () => {
    test('does not change the item of the user, and shows in the details', async () => {
      const { id, mobile } = await newUserWithPassword();
      const before = await getItem(keys.user(id));
      const first = await getUserDetail(id);

      await logIn(mobile);

      const { last_login_at } = await getUserDetail(id);
      expect(await getItem(keys.user(id))).toEqual(before);
      expect(first.last_login_at).toBe(before?.last_login_at);
      expect(String(last_login_at) > String(first.last_login_at)).toBe(true);
    });
  });
}
