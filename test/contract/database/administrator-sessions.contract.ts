import { describe, expect, test } from '@jest/globals';
import { adminProfiles } from '#modules/System/admins/admin-record.ts';
import { changeOwnPassword, editAdmin, setAdminPassword } from '#modules/System/admins/admins.ts';
import { outcomesOf, tally } from '../../support/database.ts';
import { address, createAdmin, findCaller, logIn, password } from './administrator-fixture.ts';
import { type Fate, throughProxy } from './engine-proxy.ts';

/** Logs an administrator in twice; both sessions are cached. */
async function enterTwice() {
  const admin = await createAdmin();
  const tokens = [await logIn(admin.account), await logIn(admin.account)] as const;
  for (const token of [...tokens, ...tokens]) await findCaller(token);
  return { ...admin, tokens };
}

/** Ends of sessions. */
export function describeAdministratorSessions(): void {
  describe('administrator sessions', () => {
    test('end with one of two concurrent changes of the password', async () => {
      const { id, account } = await createAdmin();
      const passwords = ['first password', 'second password'];

      const changes = await outcomesOf(passwords.map((next) => changeOwnPassword(id, next, password)));

      expect(tally(changes)).toEqual({ done: 1, version_conflict: 1 });
      const logins = await outcomesOf(passwords.map((next) => logIn(account, next)));
      expect(logins.map((login) => login === 'done')).toEqual(changes.map((change) => change === 'done'));
    });

    test('outlive other changes of their administrator, and show them at once', async () => {
      const { id, tokens } = await enterTwice();

      await editAdmin(id, { name: '新', status: 'enabled' });

      await Promise.all(tokens.map(findCaller));
      const events = tokens.map((token) => ({ event: { headers: { authorization: `Bearer ${token}` } } }));
      const profiles = await Promise.all(events.map(adminProfiles.readOwn));
      expect(profiles.map((profile) => profile?.name)).toEqual(['新', '新']);
    });

    test('do not begin with a password that is changed meanwhile, nor restore it', async () => {
      const { id, account } = await createAdmin();
      let outcome: string | undefined;

      await throughProxy(
        async (operation): Promise<Fate> => {
          if (operation === 'TransactWriteItems') await setAdminPassword(id, 'another password');
          return 'pass';
        },
        async () => {
          const { loginAdmin } = await import('#modules/System/admins/admin-login.ts');
          [outcome] = await outcomesOf([loginAdmin(account, password, address)]);
        },
      );

      expect(outcome).toBe('auth.credentials_invalid');
      expect(await outcomesOf([logIn(account), logIn(account, 'another password')])).toEqual([
        'auth.credentials_invalid',
        'done',
      ]);
    });
  });
}
