import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import article from '#modules/Article/module.ts';
import system from '#modules/System/module.ts';
import userCenter from '#modules/UserCenter/module.ts';
import { firstAdministrator, inAnotherProcess, randomLetters } from '../../support/database.ts';
import { type Fate, throughProxy } from './engine-proxy.ts';

const modules = [system, article, userCenter].map((manifest) => ({ ...manifest, dictionaries: [] }));

/** The items of an administrator, as versions before roles wrote them. */
function oldAdministrator(account: string, status: 'enabled' | 'disabled') {
  const id = `01JA4Q2M7Z3V8XK5T9R6${account.padEnd(6, '0').slice(0, 6).toUpperCase()}`;
  const [pk, claim] = [`ADMIN#${id}`, `CLAIM#ADMIN_ACCOUNT#${account}`];
  const record = {
    ...{ id, account, name: account, avatar: '', status, last_login_at: null, last_login_ip: null },
    ...{ created_at: '2026-01-01T08:00:00.000Z', password_hash: '$scrypt$', session_epoch: 1 },
  };
  return [
    { pk, sk: pk, ...record, gsi1pk: 'ADMIN', gsi1sk: id, gsi2pk: 'ADMIN_ACCOUNT', gsi2sk: account },
    { pk: claim, sk: claim, id },
  ];
}

/** A table as versions before roles left it. */
const oldItems = (enabled: number, disabled: number) => [
  ...Array.from({ length: enabled }, (_, at) => oldAdministrator(`e${at}`, 'enabled')).flat(),
  ...Array.from({ length: disabled }, (_, at) => oldAdministrator(`d${at}`, 'disabled')).flat(),
  { pk: 'COUNTER#ADMIN_ENABLED', sk: '0', count: enabled },
];

/** What rights follow from the items of the table in use. */
async function readState() {
  const { getItem } = await import('#shared/db/items.ts');
  const { listAdmins } = await import('#modules/System/admins/list-admins.ts');
  const { listRoles } = await import('#modules/System/roles/roles.ts');
  const { list } = await listAdmins({ limit: 100 });
  const readNumber = async (pk: string, sk: string, name: string) => (await getItem({ pk, sk }))?.[name];
  return {
    admins: list.map(({ super: isSuper, role_ids, status }) => ({ status, isSuper, role_ids })),
    roles: (await listRoles())
      .map(({ name, grants, admin_count }) => ({ name, grants, admin_count }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    counts: {
      supers: await readNumber('COUNTER#ADMIN_SUPER', '0', 'count'),
      roles: await readNumber('COUNTER#ROLE', '0', 'count'),
    },
    version: await readNumber('SCHEMA', 'SCHEMA', 'version'),
  };
}

const firstRoles = [
  {
    name: 'auditor',
    grants: ['system:read', 'system/audit:read', 'tool:read', 'article:read', 'user-center:read'],
    admin_count: 0,
  },
  { name: 'editor', grants: ['system/file:write', 'system/upload:write', 'article:write'], admin_count: 0 },
];

const superAdmin = (status: string) => ({ status, isSuper: true, role_ids: [] });
/** After the migration of two enabled administrators and a disabled one. */
const migrated = {
  admins: [superAdmin('enabled'), superAdmin('enabled'), superAdmin('disabled')],
  roles: firstRoles,
  counts: { supers: 2, roles: 2 },
  version: 2,
};

/** Roles of the first installation, and data of older versions. */
export function describeMigration(): void {
  describe('the version of the data', () => {
    let dataDir: string;
    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'migration-'));
    });
    afterAll(() => rm(dataDir, { recursive: true }));

    /** Runs `work` on a table of its own. @param items what an older version left; none for an empty table */
    async function onTable(
      items: Record<string, unknown>[],
      work: (install: () => Promise<object>) => Promise<void>,
    ): Promise<string> {
      const tableName = `test-${randomLetters()}`;
      await inAnotherProcess({ TABLE_NAME: tableName }, async () => {
        const { install } = await import('#cli/install.ts');
        const { deleteDirectly, putDirectly } = await import('../../support/direct-writes.ts');
        const again = () => install({ tableName, modules, dataDir, ...firstAdministrator });
        if (items.length > 0) {
          // The installation makes the table; then all of its items go.
          await again();
          await emptyTable(deleteDirectly);
          await putDirectly(items);
        }
        await work(again);
      });
      return tableName;
    }

    async function emptyTable(remove: (key: { pk: string; sk: string }) => Promise<void>): Promise<void> {
      const { database } = await import('#shared/db/client.ts');
      const { environment } = await import('#shared/config/environment.ts');
      const { Items = [] } = await (await database()).scan({ TableName: environment().tableName });
      for (const { pk, sk } of Items) await remove({ pk, sk });
    }

    test('is the current one in a new table, which has a super administrator and two roles', async () => {
      await onTable([], async (install) => {
        const first = await install();
        const second = await install();

        const { admins, ...rest } = await readState();
        expect(first).toMatchObject({ roles: ['editor', 'auditor'], isOutdated: false });
        expect(second).toMatchObject({ roles: [], administrator: undefined, isOutdated: false });
        expect(admins).toEqual([superAdmin('enabled')]);
        expect(rest).toEqual({ ...migrated, admins: undefined, counts: { supers: 1, roles: 2 } });
      });
    });

    test('keeps a repeated installation from bringing back a deleted role, or an edited grant', async () => {
      await onTable([], async (install) => {
        await install();
        const { deleteRole, editRole, listRoles } = await import('#modules/System/roles/roles.ts');
        const roles = await listRoles();
        const find = (name: string) => roles.find((each) => each.name === name);
        const [editor, auditor] = [find('editor'), find('auditor')];
        if (!editor || !auditor) throw new Error('the roles are missing');
        await deleteRole(editor.id);
        await editRole(auditor, 1, { grants: ['article:read'] });

        await install();

        const { roles: left, counts } = await readState();
        expect(left).toEqual([{ name: 'auditor', grants: ['article:read'], admin_count: 0 }]);
        expect(counts).toEqual({ supers: 1, roles: 1 });
      });
    });

    test('is raised by migrate, which makes existing administrators super and counts the enabled ones', async () => {
      await onTable(oldItems(2, 1), async (install) => {
        const { migrate } = await import('#cli/migrate.ts');
        const installed = await install();
        const before = await readState();
        const first = await migrate(modules);
        const after = await readState();
        const second = await migrate(modules);

        expect(installed).toMatchObject({ administrator: undefined, roles: [], isOutdated: true });
        expect(before).toMatchObject({ roles: [], version: undefined });
        expect(before.admins.every(({ isSuper }) => !isSuper)).toBe(true);
        const roles = ['Role editor created', 'Role auditor created'];
        expect(first).toEqual(['Super administrators: 3 more', ...roles]);
        expect(after).toEqual(migrated);
        expect(second).toEqual([]);
        expect(await readState()).toEqual(migrated);
      });
    });

    test('names the API tokens that end, but neither revoked ones nor those of an epoch', async () => {
      await onTable(oldItems(2, 0), async () => {
        const { migrate } = await import('#cli/migrate.ts');
        const { putDirectly } = await import('../../support/direct-writes.ts');
        const { listAdmins } = await import('#modules/System/admins/list-admins.ts');
        const { list } = await listAdmins({ limit: 100 });
        const times = { expires_at: '2999-01-01T00:00:00.000Z', created_at: '2026-01-01T08:00:00.000Z' };
        const put = (id: string, fields: object = {}) =>
          list.map((admin) => ({
            ...{ pk: `API_TOKENS#${admin.id}`, sk: id, id, name: id, scope: 'mcp:read' },
            ...{ ...times, ...fields },
          }));
        await putDirectly([
          ...put('valid'),
          ...put('expired', { expires_at: '2026-01-02T08:00:00.000Z' }),
          ...put('revoked', { revoked_at: '2026-01-02T08:00:00.000Z' }),
          ...put('connection', { kind: 'oauth', epoch: 1 }),
        ]);

        expect(await migrate(modules)).toContainEqual(
          expect.stringMatching(/^API tokens: 2 made before .*refused: create new ones$/),
        );
        expect(await migrate(modules)).toEqual([]);
      });
    });

    test('is right after migrate broke off at any write, and was repeated', async () => {
      for (let nth = 1; nth <= 5; nth += 1) {
        for (const fate of ['cut', 'lose'] as const) {
          const tableName = await onTable(oldItems(2, 1), async () => {});
          let writes = 0;
          let isBroken = true;
          const decide = (operation: string): Fate => {
            if (operation === 'TransactWriteItems') writes += 1;
            return isBroken && writes >= nth ? fate : 'pass';
          };
          await throughProxy(
            decide,
            async () => {
              const { migrate } = await import('#cli/migrate.ts');
              await expect(migrate(modules)).rejects.toMatchObject({ code: 'database.unavailable' });
              isBroken = false;
              await migrate(modules);
              expect(await readState()).toEqual(migrated);
            },
            { TABLE_NAME: tableName },
          );
        }
      }
    }, 120_000);

    test('is right after two runs at once, beside a change of an administrator', async () => {
      await onTable(oldItems(6, 2), async () => {
        const { migrate } = await import('#cli/migrate.ts');
        const { changeItem } = await import('#shared/db/writes.ts');
        const { transact } = await import('#shared/db/items.ts');
        const { listAdmins } = await import('#modules/System/admins/list-admins.ts');
        const { list } = await listAdmins({ limit: 100, account: 'e5' });
        const pk = `ADMIN#${list[0]?.id}`;
        /** As the older version does it: it knows one counter. */
        const disable = transact([
          changeItem({ pk, sk: pk }, { set: { status: 'disabled' }, expect: { super: undefined } }),
          changeItem({ pk: 'COUNTER#ADMIN_ENABLED', sk: '0' }, { add: { count: -1 } }),
        ]).catch((error) => expect(error).toMatchObject({ name: 'ConditionError' }));

        await Promise.all([migrate(modules), disable, migrate(modules)]);

        const { admins, roles, counts } = await readState();
        const enabled = admins.filter(({ status }) => status === 'enabled');
        expect(admins).toHaveLength(8);
        expect(admins.every(({ isSuper }) => isSuper)).toBe(true);
        expect(counts).toEqual({ supers: enabled.length, roles: 2 });
        expect(roles).toEqual(firstRoles);
      });
    });

    test('stays as it is if it is newer than the code, or if nothing is installed', async () => {
      await onTable([{ pk: 'SCHEMA', sk: 'SCHEMA', version: 99 }], async () => {
        const { migrate } = await import('#cli/migrate.ts');
        await expect(migrate(modules)).rejects.toThrow('The data has version 99, this code 2');
      });
      await onTable([{ pk: 'CONFIG#site', sk: 'x' }], async () => {
        const { migrate } = await import('#cli/migrate.ts');
        await expect(migrate(modules)).rejects.toThrow('run install first');
      });
    });
  });
}
