import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { install } from '#cli/install.ts';
import system from '#modules/System/module.ts';
import { environment } from '#shared/config/environment.ts';
import { database } from '#shared/db/client.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { editDictType, getDictType } from '#shared/dict/types.ts';
import { firstAdministrator, inAnotherProcess, randomLetters } from '../../support/database.ts';
import { readStored } from './dictionary-fixture.ts';
import { throughProxy } from './engine-proxy.ts';

async function readTimeToLive(tableName: string): Promise<unknown> {
  const db = await database();
  return (await db.send(new DescribeTimeToLiveCommand({ TableName: tableName }))).TimeToLiveDescription;
}

const enabledTimeToLive = { AttributeName: ttlAttribute, TimeToLiveStatus: 'ENABLED' };

/** Results of an installation. */
export function describeInstallation(): void {
  describe('installation', () => {
    let dataDir: string;

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'install-'));
    });
    afterAll(() => rm(dataDir, { recursive: true }));

    test('adds the dictionaries of the modules once, and keeps changes by operators', async () => {
      const options = { tableName: environment().tableName, modules: [system], dataDir };
      const [seed] = system.dictionaries ?? [];
      const typeKey = String(seed?.type_key);

      const first = await install(options);
      await editDictType(typeKey, 1, { name: '改' });
      const second = await install(options);

      const declared = system.dictionaries?.map(({ type_key }) => type_key);
      const none = { isTableCreated: false, administrator: undefined, roles: [], isStorageLinked: false };
      expect([first, second]).toEqual([
        { ...none, dictionaries: declared, isOutdated: false },
        { ...none, dictionaries: [], isOutdated: false },
      ]);
      expect(await getDictType(typeKey)).toMatchObject({ name: '改', version: 2 });
      expect(await readStored(typeKey)).toMatchObject({ item_count: seed?.items.length });
      expect(existsSync(join(dataDir, 'install.lock'))).toBe(true);
    });

    test('enables expiry on the table, also if repeated', async () => {
      expect(await readTimeToLive(environment().tableName)).toEqual(enabledTimeToLive);
    });

    /**
     * Installs a dictionary of values into a new table, cut off from the nth request of an operation on, and
     * once more; then looks.
     */
    async function installTwice(operation: string, nth: number, values: string[]) {
      const tableName = `test-${randomLetters()}`;
      const type_key = randomLetters();
      const items = values.map((value) => ({ value, name: value }));
      const dictionaries = items.length > 0 ? [{ type_key, name: 't', public: false, items }] : [];
      const modules = [{ ...system, dictionaries }];
      const options = { tableName, modules, dataDir: join(dataDir, tableName), ...firstAdministrator };
      let seen = 0;
      const results: unknown[] = [];
      let stored: unknown;

      await throughProxy(
        (current) => {
          if (current === operation) seen += 1;
          return seen < nth ? 'pass' : 'cut';
        },
        async () => {
          const other = await import('#cli/install.ts');
          results.push(await other.install(options).catch((error) => error));
        },
        { TABLE_NAME: tableName },
      );
      const isLocked = existsSync(join(options.dataDir, 'install.lock'));
      await inAnotherProcess({ TABLE_NAME: tableName }, async () => {
        const other = await import('#cli/install.ts');
        results.push(await other.install(options));
        const { listDictItems } = await import('#shared/dict/items.ts');
        const { listAdmins } = await import('#modules/System/admins/list-admins.ts');
        const { list } = await listAdmins({ limit: 10 });
        stored = {
          values: (await listDictItems(type_key)).map(({ value }) => value),
          accounts: list.map(({ account }) => account),
          timeToLive: await readTimeToLive(tableName),
        };
      });
      return { results, isLocked, stored };
    }

    const wholeWith = (values: string[]) => ({
      values,
      accounts: [firstAdministrator.account],
      timeToLive: enabledTimeToLive,
    });

    test.each([
      ['its table and the expiry of what is in it', 'UpdateTimeToLive', ['a', 'b']],
      ['its table and its dictionaries', 'TransactWriteItems', ['a', 'b']],
      ['its table and its administrator', 'TransactWriteItems', []],
    ])('is finished by repeating it when it breaks off between %s', async (_, operation, values) => {
      const { results, isLocked, stored } = await installTwice(operation, 1, values);

      expect(results).toEqual([expect.any(Error), expect.objectContaining({ isTableCreated: false })]);
      expect(isLocked).toBe(false);
      expect(stored).toEqual(wholeWith(values));
    });

    test('is recorded in the audit log once, with its administrator', async () => {
      const tableName = `test-${randomLetters()}`;
      const options = { tableName, modules: [system], dataDir: join(dataDir, tableName) };

      await inAnotherProcess({ TABLE_NAME: tableName }, async () => {
        const other = await import('#cli/install.ts');
        await other.install({ ...options, ...firstAdministrator });
        await other.install(options);
        const { listAdmins } = await import('#modules/System/admins/list-admins.ts');
        const { listEntries } = await import('#modules/System/audit/list-entries.ts');
        const [admin] = (await listAdmins({ limit: 10 })).list;
        const actor = `cli:${userInfo().username}`;

        expect((await listEntries({ limit: 10, actor })).list).toMatchObject([
          { action: 'cli/install', target: `admin:${admin?.id}`, outcome: 'ok', fields: {}, genuine: true },
        ]);
      });
    });

    test('begins the audit log outside of the table, once', async () => {
      const tableName = `test-${randomLetters()}`;
      const options = { tableName, modules: [system], dataDir: join(dataDir, tableName) };

      await inAnotherProcess({ TABLE_NAME: tableName }, async () => {
        const other = await import('#cli/install.ts');
        const { openAnchor } = await import('#shared/audit/anchor.ts');
        const { writeDigests } = await import('#modules/System/audit/write-digests.ts');
        const read = async () => JSON.parse((await (await openAnchor()).read()) ?? '{}');
        const before = await read();
        await other.install({ ...options, ...firstAdministrator });
        const installed = await read();
        // However late the first digest is, it begins a new log.
        const [first, second] = await writeDigests({ toMs: Date.now() + 40 * 86_400_000 });
        await other.install(options);

        expect([before, installed.sequence]).toEqual([{}, 0]);
        expect([first?.installed, first?.sequence, second?.sequence]).toEqual([true, 1, 2]);
        expect((await read()).sequence).toBeGreaterThan(1);
      });
    });

    test('can be repeated after an interruption between a dictionary and its items', async () => {
      expect((await installTwice('TransactWriteItems', 3, ['a', 'b'])).stored).toEqual(wholeWith(['a', 'b']));
    });
  });
}
