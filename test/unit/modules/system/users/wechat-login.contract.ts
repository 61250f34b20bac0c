import { describe, expect, test } from '@jest/globals';
import { readUserCounts } from '#modules/System/users/counters.ts';
import { findCredentialOwner, logInByCredential } from '#modules/System/users/credential-login.ts';
import { findMobileClaim, findUserByMobile, findUserByOpenId } from '#modules/System/users/find-user.ts';
import { logInUser } from '#modules/System/users/login.ts';
import { setUserStatus } from '#modules/UserCenter/users/edit-user.ts';
import { takeClaim } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { outcomesOf } from '../../../../support/database.ts';
import { keys } from '../../../../support/keys.ts';
import { findCaller, newMobile, newOpenId, newUser } from './fixture.ts';
import { mini, official, useWechat, wechat, wechatSettings } from './wechat-fixture.ts';

/** Logs in by a new code of the user; terminal 1 by default. */
const silently = (openId: string, terminal: 1 | 2 = 1) => {
  const loginCode =
    terminal === 1
      ? wechat().issueLoginCode(mini.appId, { openId })
      : wechat().issueOauthCode(official.appId, { openId });
  return logInUser({ terminal, scene: 'silent', loginCode }, wechatSettings());
};

const byPhone = (mobile: string, openId?: string) => {
  const authPhoneCode = wechat().issuePhoneCode(mini.appId, { mobile });
  const loginCode = openId && wechat().issueLoginCode(mini.appId, { openId });
  return logInUser({ terminal: 1, scene: 'phone_auth', authPhoneCode, loginCode }, wechatSettings());
};

/** Logins by WeChat. */
export function describeWechatLogin(): void {
  describe('login by WeChat', () => {
    useWechat();

    test('creates one user for many first logins at once, and accepts all of them', async () => {
      const openId = newOpenId();
      const before = await readUserCounts(1);

      const logins = await Promise.all(Array.from({ length: 8 }, () => silently(openId)));

      expect(new Set(logins.map(({ user }) => user.id)).size).toBe(1);
      expect(logins.filter(({ is_new }) => is_new)).toHaveLength(1);
      const callers = await Promise.all(logins.map(({ token }) => findCaller(token)));
      expect(new Set(callers.map(({ session }) => session.id)).size).toBe(8);
      expect((await readUserCounts(1)).total - before.total).toBe(1);
    });

    test('binds mobile and open ID to the user whom the first phone authorisation creates', async () => {
      const [mobile, openId] = [newMobile(), newOpenId()];

      const login = await byPhone(mobile, openId);

      expect(login.is_new).toBe(true);
      expect((await findUserByMobile(mobile))?.user).toEqual(login.user);
      expect((await silently(openId)).user).toEqual(login.user);
    });

    test('creates one user for many first phone authorisations at once', async () => {
      const [mobile, openId] = [newMobile(), newOpenId()];

      const logins = await Promise.all(Array.from({ length: 6 }, () => byPhone(mobile, openId)));

      expect(new Set(logins.map(({ user }) => user.id)).size).toBe(1);
      expect(logins.filter(({ is_new }) => is_new)).toHaveLength(1);
    });

    test('logs in to the user who is created between the searches for the open ID and for the mobile', async () => {
      const [mobile, openId] = [newMobile(), { app: 'mini', openId: newOpenId() } as const];
      const claimed = Promise.withResolvers<string | undefined>();
      const finding = findCredentialOwner({ mobile, openId }, claimed.promise);
      // Two later reads have been answered, so the reads of the credential have been too.
      for (let index = 0; index < 2; index += 1) await findUserByOpenId(openId);
      const { id } = await newUser({ mobile, openId });
      claimed.resolve(findMobileClaim(mobile));

      const login = await logInByCredential({ mobile, openId }, 1, finding);

      expect(login).toMatchObject({ is_new: false, user: { id } });
    });

    test('finds no user by an open ID that was released after its claim was read', async () => {
      const openId = { app: 'mini', openId: newOpenId() } as const;
      const { id } = await newUser();
      await transact([takeClaim(keys.userOpenId(openId.app, openId.openId), id)]);

      expect(await findUserByOpenId(openId)).toBeUndefined();
    });

    test('binds an open ID to the user of the mobile, and releases the old one', async () => {
      const [mobile, old, next] = [newMobile(), newOpenId(), newOpenId()];
      const { id } = await newUser({ mobile, openId: { app: 'mini', openId: old } });

      const login = await byPhone(mobile, next);

      expect(login).toMatchObject({ is_new: false, user: { id } });
      expect((await silently(next)).user.id).toBe(id);
      expect(await findUserByOpenId({ app: 'mini', openId: old })).toBeUndefined();
    });

    test('gives the mobile to the user of the open ID who has none', async () => {
      const [mobile, openId] = [newMobile(), newOpenId()];
      const { user, token } = await silently(openId);
      // Twice: the first fills the cache.
      for (let index = 0; index < 2; index += 1) await findCaller(token);

      const login = await byPhone(mobile, openId);

      expect(login).toMatchObject({ is_new: false, user: { id: user.id } });
      expect(login.user.mobile).toBe(`${mobile.slice(0, 3)}****${mobile.slice(7)}`);
      expect((await findCaller(login.token)).principal).toEqual(login.user);
      expect((await findUserByMobile(mobile))?.user.id).toBe(user.id);
    });

    test('keeps the last of two open IDs bound at once, and releases the other', async () => {
      const [mobile, ...openIds] = [newMobile(), newOpenId(), newOpenId()];
      const { id } = await newUser({ mobile });

      const logins = await Promise.all(openIds.map((openId) => byPhone(mobile, openId)));

      expect(logins.map(({ user }) => user.id)).toEqual([id, id]);
      const owners = await Promise.all(openIds.map((openId) => findUserByOpenId({ app: 'mini', openId })));
      const bound = owners.filter((owner) => owner !== undefined);
      expect(bound).toHaveLength(1);
      expect(openIds).toContain(bound[0]?.mini_open_id);
    });

    test('gives one of two mobiles at once to the user of the open ID; a new user gets the other', async () => {
      const [openId, ...mobiles] = [newOpenId(), newMobile(), newMobile()];
      await silently(openId);

      const logins = await Promise.all(mobiles.map((mobile) => byPhone(mobile, openId)));

      expect(logins.map(({ is_new }) => is_new).sort()).toEqual([false, true]);
      const owners = await Promise.all(mobiles.map((mobile) => findUserByMobile(mobile)));
      expect(owners.map((owner) => owner?.mobile)).toEqual(mobiles);
      expect(owners.map((owner) => owner?.user.id)).toEqual(logins.map(({ user }) => user.id));
    });

    test('does not take an open ID from another user', async () => {
      const [mobile, openId] = [newMobile(), newOpenId()];
      const owner = await newUser({ mobile: newMobile(), openId: { app: 'mini', openId } });

      const login = await byPhone(mobile, openId);

      expect(login.is_new).toBe(true);
      expect(login.user.id).not.toBe(owner.id);
      expect((await silently(openId)).user.id).toBe(owner.id);
    });

    test('needs no open ID for a phone authorisation', async () => {
      const mobile = newMobile();

      const login = await byPhone(mobile);

      expect((await findUserByMobile(mobile))?.user).toEqual(login.user);
    });

    test('refuses a disabled user', async () => {
      const openId = newOpenId();
      const { user } = await silently(openId);
      await setUserStatus(user.id, 'disabled');

      expect(await outcomesOf([silently(openId)])).toEqual(['auth.principal_disabled']);
    });
  });
}
