import crypto from 'node:crypto';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createUser, createUserId } from '#modules/System/users/create-user.ts';
import { findUserByMobile, findUserByOpenId } from '#modules/System/users/find-user.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { getItem } from '#shared/db/items.ts';
import { outcomesOf, tally } from '../../../../support/database.ts';
import { keys } from '../../../../support/keys.ts';
import { h5, newMobile, newOpenId, newUser } from './fixture.ts';

/** New users and their unique values. */
export function describeCreation(): void {
  describe('a new user', () => {
    afterEach(() => {
      jest.restoreAllMocks();
    });

    test('is found by mobile and by open ID of each account', async () => {
      const [mobile, openId] = [newMobile(), newOpenId()];
      const user = await newUser({ mobile, openId: { app: 'mini', openId } });

      expect((await findUserByMobile(mobile))?.user).toEqual(user);
      expect((await findUserByOpenId({ app: 'mini', openId }))?.user).toEqual(user);
      expect(await findUserByOpenId({ app: 'official', openId })).toBeUndefined();
    });

    test('is created once if many claim its mobile at once', async () => {
      const mobile = newMobile();
      const ids = Array.from({ length: 12 }, createUserId);

      const attempts = ids.map((id) =>
        createUser({ id, terminal: h5, mobile, openId: { app: 'mini', openId: id } }),
      );

      expect(tally(await outcomesOf(attempts))).toEqual({ done: 1, version_conflict: 11 });
      const users = await Promise.all(ids.map((id) => getItem(keys.user(id))));
      const openIds = await Promise.all(ids.map((id) => getItem(keys.userOpenId('mini', id))));
      expect(users.filter(Boolean)).toHaveLength(1);
      expect(openIds.filter(Boolean)).toHaveLength(1);
    });

    test('leaves nothing behind when the open ID is taken', async () => {
      const [mobile, openId] = [newMobile(), { app: 'official', openId: newOpenId() } as const];
      await newUser({ openId });

      await expect(newUser({ mobile, openId })).rejects.toThrow('version_conflict');

      expect(await getItem(keys.userMobile(mobile))).toBeUndefined();
    });

    test('gets another number if the first one is taken', async () => {
      const { sn } = await newUser();
      jest.spyOn(crypto, 'randomInt').mockReturnValueOnce(Number(sn) as never);

      const user = await newUser();

      expect(user.sn).not.toBe(sn);
      expect(user.sn).toMatch(/^[1-9]\d{8}$/);
      expect(await getItem(keys.userSn(user.sn))).toMatchObject({ id: user.id });
    });

    test('is not created if a condition of another write fails', async () => {
      const { id } = await newUser();
      const mobile = newMobile();
      const beside = {
        Put: { Item: { ...keys.user(id) }, ConditionExpression: 'attribute_not_exists(pk)' },
      };

      const failure = await createUser({ id: createUserId(), terminal: h5, mobile }, [beside]).catch(
        (e) => e,
      );

      expect(failure).toBeInstanceOf(ConditionError);
      expect(failure.failed).toEqual([0]);
      expect(await findUserByMobile(mobile)).toBeUndefined();
    });
  });
}
