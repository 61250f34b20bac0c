import { describe, expect, test } from '@jest/globals';
import { findIndexedAdmin, loginAdmin } from '#modules/System/admins/admin-login.ts';
import { adminRecords } from '#modules/System/admins/admin-record.ts';
import { editAdmin, getAdmin, setAdminPassword } from '#modules/System/admins/admins.ts';
import { currentCost, hashPassword, verifyPassword } from '#shared/auth/password.ts';
import { getRow } from '#shared/db/entity.ts';
import { updateItem } from '#shared/db/items.ts';
import { firstAdministrator, outcomesOf } from '../../support/database.ts';
import { keys, setAttributes } from '../../support/keys.ts';
import { address, createAdmin, findCaller, logIn, password } from './administrator-fixture.ts';
import { type Fate, throughProxy } from './engine-proxy.ts';

const readHash = async (id: string) => (await getRow(adminRecords, { id })).password_hash;

/** Stores a hash as an older release made it. */
async function storeCheapHash(id: string, secret = password): Promise<string> {
  const password_hash = await hashPassword(secret, { ...currentCost, ln: currentCost.ln - 5 });
  await updateItem({ Key: { ...keys.admin(id) }, ...setAttributes({ password_hash }) });
  return password_hash;
}

/** Login of administrators. */
export function describeAdministratorLogin(): void {
  describe('administrator login', () => {
    test('accepts the administrator of the installation', async () => {
      const { account, password: secret } = firstAdministrator;

      const { token, admin } = await loginAdmin(account, secret, address);

      const { id, super: isSuper, status, role_ids } = admin;
      const principal = { id, account, super: isSuper, status, role_ids, two_factor: false, grants: [] };
      expect((await findCaller(token)).principal).toEqual(principal);
    });

    test('records time and address', async () => {
      const { id, account } = await createAdmin();
      const before = new Date().toISOString();

      const { admin, expires_at } = await loginAdmin(account, password, address);

      expect(admin).toMatchObject({ id, last_login_ip: address });
      expect(String(admin.last_login_at) >= before).toBe(true);
      expect(expires_at > before).toBe(true);
      expect(await getAdmin(id)).toEqual(admin);
    });

    test('accepts an older password that could not be set any more', async () => {
      const { id, account } = await createAdmin();
      const weak = 'password1';
      const old = await storeCheapHash(id, weak);

      expect((await loginAdmin(account, weak, address)).admin.id).toBe(id);
      expect(await readHash(id)).not.toBe(old);
    });

    test('reveals that an administrator is disabled only with the right password', async () => {
      const { id, account } = await createAdmin();
      await editAdmin(id, { status: 'disabled' });

      const outcomes = await outcomesOf([
        loginAdmin(account, password, address),
        loginAdmin(account, 'wrong password', address),
      ]);

      expect(outcomes).toEqual(['auth.principal_disabled', 'auth.credentials_invalid']);
      expect(await getAdmin(id)).toMatchObject({ last_login_at: null });
    });

    test('uses the record, not an outdated index entry', async () => {
      const { id, account } = await createAdmin();
      const old = await findIndexedAdmin(account);
      const other = `${password}!`;
      await setAdminPassword(id, other);

      const outcomes = await outcomesOf([
        loginAdmin(account, password, address, old),
        loginAdmin(account, 'wrong password', address, old),
      ]);
      const { admin } = await loginAdmin(account, other, address, old);

      expect(outcomes).toEqual(Array(2).fill('auth.credentials_invalid'));
      expect(admin.id).toBe(id);
    });

    test('follows a status that changed after the index was written', async () => {
      const [{ id, account }, { id: otherId, account: other }] = [await createAdmin(), await createAdmin()];
      const enabled = await findIndexedAdmin(account);
      await editAdmin(id, { status: 'disabled' });
      await editAdmin(otherId, { status: 'disabled' });
      const disabled = await findIndexedAdmin(other);
      await editAdmin(otherId, { status: 'enabled' });

      const outcomes = await outcomesOf([
        loginAdmin(account, password, address, enabled),
        loginAdmin(other, password, address, disabled),
      ]);

      expect(enabled?.status).toBe('enabled');
      expect(outcomes).toEqual(['auth.principal_disabled', 'done']);
    });

    test('gives each of several concurrent logins its own session', async () => {
      const { account } = await createAdmin();

      const tokens = await Promise.all(Array.from({ length: 4 }, () => logIn(account)));

      const callers = await Promise.all(tokens.map(findCaller));
      expect(new Set(callers.map(({ session }) => session.id)).size).toBe(4);
    });

    test('replaces a hash of lower cost', async () => {
      const { id, account } = await createAdmin();
      const cheap = await storeCheapHash(id);

      await logIn(account);

      const stored = await readHash(id);
      expect(stored).not.toBe(cheap);
      expect(await verifyPassword(password, stored)).toEqual({ isValid: true, isStale: false });
      await expect(logIn(account)).resolves.toEqual(expect.any(String));
    });

    test('lets several logins pass while the first replaces the hash', async () => {
      const { id, account } = await createAdmin();
      await storeCheapHash(id);
      let arrived = 0;
      const allArrived = Promise.withResolvers<void>();
      let outcomes: string[] = [];

      await throughProxy(
        async (operation): Promise<Fate> => {
          if (operation === 'TransactWriteItems') {
            arrived += 1;
            if (arrived === 3) allArrived.resolve();
            await allArrived.promise;
          }
          return 'pass';
        },
        async () => {
          const others = await import('#shared/auth/password.ts');
          others.currentCost.ln = currentCost.ln;
          const entrance = await import('#modules/System/admins/admin-login.ts');
          const enter = () => entrance.loginAdmin(account, password, address);
          outcomes = await outcomesOf([enter(), enter(), enter()]);
        },
      );

      expect(outcomes).toEqual(['done', 'done', 'done']);
      expect(arrived).toBe(5);
      expect(await verifyPassword(password, await readHash(id))).toEqual({ isValid: true, isStale: false });
    });

    test('refuses after three tries if the record changes at each', async () => {
      const { id, account } = await createAdmin();
      let tries = 0;
      let outcome: string | undefined;

      await throughProxy(
        async (operation): Promise<Fate> => {
          if (operation === 'TransactWriteItems') {
            tries += 1;
            await setAdminPassword(id, password);
          }
          return 'pass';
        },
        async () => {
          const entrance = await import('#modules/System/admins/admin-login.ts');
          [outcome] = await outcomesOf([entrance.loginAdmin(account, password, address)]);
        },
      );

      expect([outcome, tries]).toEqual(['auth.credentials_invalid', 3]);
      expect(await getAdmin(id)).toMatchObject({ last_login_at: null });
    });

    test('keeps a current hash, and any hash after a wrong password', async () => {
      const [good, stale] = [await createAdmin(), await createAdmin()];
      const hashes = [await readHash(good.id), await storeCheapHash(stale.id)];

      await logIn(good.account);
      const [outcome] = await outcomesOf([logIn(stale.account, 'wrong password')]);

      expect(outcome).toBe('auth.credentials_invalid');
      expect([await readHash(good.id), await readHash(stale.id)]).toEqual(hashes);
    });
  });
}
