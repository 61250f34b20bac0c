import { describe, expect, test } from '@jest/globals';
import { adminRecords } from '#modules/System/admins/admin-record.ts';
import {
  addAdmin,
  type Check,
  deleteAdmin,
  editAdmin,
  getAdmin,
  setAdminPassword,
  setAdminRoles,
} from '#modules/System/admins/admins.ts';
import { listAdmins } from '#modules/System/admins/list-admins.ts';
import { addRole } from '#modules/System/roles/roles.ts';
import { verifyPassword } from '#shared/auth/password.ts';
import type { AdminPrincipal } from '#shared/auth/principal.ts';
import { getRow } from '#shared/db/entity.ts';
import { getItem } from '#shared/db/items.ts';
import { outcomesOf, randomLetters, tally } from '../../support/database.ts';
import { keys } from '../../support/keys.ts';
import { createAdmin } from './administrator-fixture.ts';

async function countEnabled(): Promise<number> {
  return Number((await getItem(keys.counter('ADMIN_ENABLED')))?.count);
}

async function listEnabled(): Promise<AdminPrincipal[]> {
  const enabled: AdminPrincipal[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAdmins({ limit: 100, cursor });
    enabled.push(...page.list.filter(({ status }) => status === 'enabled'));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return enabled;
}

/** Disables all administrators but these. */
async function leaveEnabled(ids: readonly string[]): Promise<void> {
  for (const { id } of await listEnabled()) {
    if (!ids.includes(id)) await editAdmin(id, { status: 'disabled' });
  }
}

const demote = (id: string) => setAdminRoles(id, [], false);

const countSupers = async () => Number((await getItem(keys.counter('ADMIN_SUPER')))?.count);

const disable = (id: string) => editAdmin(id, { status: 'disabled' });

/** Administrators and their number. */
export function describeAdministrators(): void {
  describe('administrators', () => {
    test('are read as they were answered, without hash and epoch', async () => {
      const account = randomLetters();

      const admin = await addAdmin({ account, name: '管理员', password: 'a password' });

      const { id, created_at } = admin;
      const given = {
        id,
        account,
        name: '管理员',
        created_at,
        avatar: '',
        status: 'enabled',
        has_password: true,
      };
      const rest = {
        super: false,
        role_ids: [],
        two_factor: false,
        last_login_at: null,
        last_login_ip: null,
      };
      expect(admin).toEqual({ ...given, ...rest });
      expect(await getAdmin(admin.id)).toEqual(admin);
      expect((await getRow(adminRecords, admin)).password_hash).toMatch(/^\$scrypt\$/);
    });

    test('have unique accounts: one of 20 parallel additions wins and counts', async () => {
      const account = randomLetters();
      const before = await countEnabled();

      const add = (name: string) => addAdmin({ account, name, password: 'a password' });
      const outcomes = await outcomesOf(Array.from({ length: 20 }, (_, index) => add(`${index}`)));

      const { list } = await listAdmins({ limit: 10, account });
      expect(tally(outcomes)).toEqual({ done: 1, 'admin.account_exists': 19 });
      expect(list.map(({ name }) => name)).toEqual([`${outcomes.indexOf('done')}`]);
      expect(await countEnabled()).toBe(before + 1);
    });

    test('keep fields that an edit omits', async () => {
      const admin = await createAdmin();

      const edited = await editAdmin(admin.id, { name: '新', avatar: undefined });

      expect(edited).toEqual({ ...admin, name: '新' });
      expect(await getAdmin(admin.id)).toEqual(edited);
    });

    test('are counted once after repeated disabling and enabling', async () => {
      const { id } = await createAdmin();
      const before = await countEnabled();

      await disable(id);
      await disable(id);
      const disabled = await countEnabled();
      await outcomesOf([1, 2, 3].map(() => editAdmin(id, { status: 'enabled' })));

      expect([disabled, await countEnabled()]).toEqual([before - 1, before]);
      expect(await listEnabled()).toHaveLength(before);
    });

    test('that do not exist cannot be read, edited or deleted, and a change does not create them', async () => {
      const id = randomLetters();

      const changes = [editAdmin(id, { name: 'x' }), setAdminPassword(id, 'a password'), deleteAdmin(id)];
      const outcomes = await outcomesOf([getAdmin(id), ...changes]);

      expect(outcomes).toEqual(Array(4).fill('admin.not_found'));
      expect(await getItem(keys.admin(id))).toBeUndefined();
    });

    test('are deleted once by many concurrent attempts', async () => {
      const { id } = await createAdmin();
      const before = await countEnabled();

      const outcomes = await outcomesOf(Array.from({ length: 5 }, () => deleteAdmin(id)));

      expect(tally(outcomes)).toEqual({ done: 1, 'admin.not_found': 4 });
      expect(await countEnabled()).toBe(before - 1);
    });
  });

  describe('a change by someone with fewer rights', () => {
    const reset = (id: string, check: Check) => setAdminPassword(id, 'another password', check);
    const rename = async (id: string, check: Check) => void (await editAdmin(id, { name: 'x' }, check));
    const deprive = async (id: string, check: Check) => void (await setAdminRoles(id, [], undefined, check));
    const changes = { reset, rename, deprive, delete: deleteAdmin };
    const gains = {
      'becomes a super administrator': (id: string) => setAdminRoles(id, [], true),
      'gets another role': async (id: string) =>
        setAdminRoles(id, [(await addRole({ name: 'r', grants: ['article:write'] })).id]),
      'is disabled': disable,
    };
    const cases = Object.entries(changes).flatMap(([name, change]) =>
      Object.entries(gains).map(([gain, make]) => [name, gain, change, make] as const),
    );

    test.each(cases)('(%s) fails if the administrator %s after the check', async (_, __, change, gain) => {
      const { id } = await addAdmin({ account: randomLetters(), name: 'x', password: 'a password' });
      const check = async () => void (await gain(id));

      const outcomes = await outcomesOf([change(id, check)]);

      const record = await getRow(adminRecords, { id });
      expect(outcomes).toEqual(['version_conflict']);
      expect(record).toMatchObject({ name: 'x' });
      expect(await verifyPassword('a password', record.password_hash)).toMatchObject({ isValid: true });
    });
  });

  describe('the last enabled super administrator', () => {
    test('cannot be disabled or deleted, also beside disabled ones', async () => {
      const last = await createAdmin();
      await leaveEnabled([last.id]);

      const outcomes = await outcomesOf([disable(last.id), deleteAdmin(last.id)]);

      expect(outcomes).toEqual(['admin.last_super', 'admin.last_super']);
      expect(await getAdmin(last.id)).toEqual(last);
      expect(await countEnabled()).toBe(1);
    });

    test.each([
      ['demoted', 'demoted', demote, demote],
      ['disabled', 'demoted', disable, demote],
      ['disabled', 'disabled', disable, disable],
      ['deleted', 'deleted', deleteAdmin, deleteAdmin],
      ['disabled', 'deleted', disable, deleteAdmin],
    ])('is left when one of two is %s while the other is %s', async (_, __, changeFirst, changeSecond) => {
      for (let round = 0; round < 3; round += 1) {
        const [first, second] = await Promise.all([createAdmin(), createAdmin()]);
        await leaveEnabled([first.id, second.id]);

        const outcomes = await outcomesOf([changeFirst(first.id), changeSecond(second.id)]);

        const enabled = (await listEnabled()).filter((each) => each.super);
        const left = outcomes[0] === 'done' ? second : first;
        expect([...outcomes].sort()).toEqual(['admin.last_super', 'done']);
        expect(enabled.map(({ id }) => id)).toEqual([left.id]);
        expect(await countSupers()).toBe(1);
      }
    });

    test('can be removed when another is enabled again', async () => {
      const [first, second] = [await createAdmin(), await createAdmin()];
      await leaveEnabled([first.id, second.id]);
      await disable(second.id);

      await editAdmin(second.id, { status: 'enabled' });
      await deleteAdmin(first.id);

      expect((await listEnabled()).map(({ id }) => id)).toEqual([second.id]);
    });
  });
}
