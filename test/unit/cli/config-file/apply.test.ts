import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { applyChanges } from '#cli/config-file/apply.ts';
import type { Change, Plan } from '#cli/config-file/changes.ts';
import { type ConfigFile, formatConfigFile } from '#cli/config-file/format.ts';
import { preparePlan } from '#cli/config-file/prepare.ts';
import { renderPlan } from '#cli/config-file/render.ts';
import { createConfigFile, readStage, toContent } from '#cli/config-file/stage.ts';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { addAdmin } from '#modules/System/admins/admins.ts';
import { addRole, editRole, listRoles } from '#modules/System/roles/roles.ts';
import { adminPrincipals } from '#shared/auth/principal.ts';
import { environment } from '#shared/config/environment.ts';
import { database } from '#shared/db/client.ts';
import { transact } from '#shared/db/items.ts';
import { addDictItem, deleteDictItem, editDictItem, getDictItem } from '#shared/dict/items.ts';
import { dict } from '#shared/dict/reader.ts';
import { addDictType, editDictType, getDictType } from '#shared/dict/types.ts';
import { addUsage, removeUsage } from '#shared/dict/usage.ts';
import { saveSettings } from '#shared/settings/save.ts';
import { readSettings } from '#shared/settings/store.ts';
import { useDatabase } from '../../../support/database.ts';
import { recordWork } from '../../../support/use-functions.ts';
import { content, groups, marker, permissions } from './stages.ts';

// `config:apply` on a database, with the modules of `stages.ts`.

const manifest = {
  name: 'Lab',
  title: { zh_CN: '实验', en: 'Lab' },
  version: '1.0.0',
  configs: groups,
};
useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
afterEach(() => {
  jest.restoreAllMocks();
});

const read = () => readStage([manifest], permissions);
const plan = async (file: ConfigFile, prune = true) => preparePlan(await read(), file, prune);
const apply = ({ changes }: Plan, onDone: (change: Change) => void = () => {}) =>
  applyChanges(changes, randomUUID(), onDone);
const [mail, page] = groups;
if (!mail || !page) throw new Error('groups are missing');

const empty: ConfigFile = { format: 1, dictionaries: [], roles: [], settings: {}, secrets: [] };
const item = { value: '1', name: 'One', sort: 0, status: 'enabled' as const, remark: '' };
const colour = {
  type_key: 'colour',
  name: 'Colours',
  enabled: true,
  public: true,
  remark: '',
  items: [item],
};
const editor = { name: 'editor', remark: '', grants: ['shop:read'] };
const file = { ...empty, dictionaries: [colour], roles: [editor], settings: { page: { title: 'a' } } };
const withColour = (rest: Partial<typeof colour>) => ({ ...file, dictionaries: [{ ...colour, ...rest }] });

/** Everything in the table, as text. */
async function readTable(): Promise<string> {
  const { Items } = await (await database()).send(new ScanCommand({ TableName: environment().tableName }));
  return JSON.stringify(Items);
}

/** Does a transaction and loses its answer, or loses the transaction. @param at its number, from 0 */
async function failAt(at: number, isWritten: boolean) {
  const db = await database();
  const send = db.transactWrite.bind(db);
  let count = 0;
  return jest.spyOn(db, 'transactWrite').mockImplementation(async (input: Parameters<typeof send>[0]) => {
    count += 1;
    if (count !== at + 1) return send(input);
    if (isWritten) await send(input);
    throw new Error('the connection was lost');
  });
}

beforeEach(async () => apply(await plan(file)));

describe('random files', () => {
  test('are applied whole, also after a failure at any write; then nothing is left to do, and no secret shows', async () => {
    await saveSettings(mail, { password: `${marker}-password` });
    const printed: string[] = [];

    await fc.assert(
      fc.asyncProperty(content, fc.nat(5), fc.boolean(), async (given, at, isWritten) => {
        const wanted: ConfigFile = { format: 1, ...given };
        const failing = await failAt(at, isWritten);
        const first = await plan(wanted);
        printed.push(renderPlan(first));
        await apply(first).catch(({ message }) => printed.push(message));
        failing.mockRestore();

        await apply(await plan(wanted), ({ record }) => printed.push(record));

        const again = await recordWork(async () => apply(await plan(wanted)));
        const stage = await read();
        const { left } = await plan(wanted);
        const found = toContent(stage);
        printed.push(createConfigFile(stage), JSON.stringify(left));
        // Without secrets, and without the group whose endpoint they hold.
        const isMailLeft = left.some(({ reason }) => reason.includes('endpoint'));
        const comparable = ({ settings, ...rest }: ConfigFile) => {
          const { mail, page } = settings;
          const full = {
            page: { title: '', size: 20, wide: false, ...page },
            ...(!isMailLeft && { mail: { host: '', sender: '', ...mail } }),
          };
          return formatConfigFile({ ...rest, settings: full, secrets: [] });
        };
        expect(comparable(found)).toBe(comparable(wanted));
        expect(again.entries).toEqual([]);
      }),
      { numRuns: 30 },
    );

    expect(printed.join('\n')).toContain('was not written');
    expect(printed.join('\n') + (await readTable())).not.toContain(marker);
    await saveSettings(mail, { password: '' });
  }, 300_000);
});

describe('a concurrent edit', () => {
  const editItem = async () =>
    editDictItem('colour', '1', (await getDictItem('colour', '1')).version, { name: 'Theirs' });
  const cases: [record: string, wanted: ConfigFile, edit: () => Promise<unknown>][] = [
    ['dict_type:colour', withColour({ name: 'Paint' }), () => editDictType('colour', 1, { name: 'Theirs' })],
    ['dict:colour:1', withColour({ items: [{ ...item, name: 'Mine' }] }), editItem],
    ['dict:colour:1', withColour({ items: [] }), editItem],
    [
      'dict:colour:2',
      withColour({ items: [item, { ...item, value: '2' }] }),
      () => addDictItem({ type_key: 'colour', value: '2', name: 'Theirs' }),
    ],
    [
      'dict_type:size',
      { ...file, dictionaries: [colour, { ...colour, type_key: 'size', items: [] }] },
      addSize,
    ],
    [
      'role:editor',
      { ...file, roles: [{ ...editor, grants: ['shop:write'] }] },
      async () => {
        const [role] = await listRoles();
        if (role) await editRole(role, role.version, { remark: 'Theirs' });
      },
    ],
    [
      'role:second',
      { ...file, roles: [editor, { ...editor, name: 'second' }] },
      () => addRole({ name: 'second', grants: ['shop:write'], remark: 'Theirs' }),
    ],
    [
      'config:page',
      { ...file, settings: { page: { title: 'b' } } },
      () => saveSettings(page, { title: 'Theirs', size: 3 }),
    ],
  ];

  test.each(cases)('of %s is refused with its name, and kept', async (record, wanted, edit) => {
    // Roles and types of other cases are gone, so that versions begin again.
    await apply(await plan(empty));
    await apply(await plan(file));
    const prepared = await plan(wanted);
    expect(prepared.changes.map((change) => change.record)).toEqual([record]);
    await edit();
    const theirs = createConfigFile(await read());

    await expect(apply(prepared)).rejects.toThrow(`${record} was not written: `);

    expect(theirs).toContain('Theirs');
    expect(createConfigFile(await read())).toBe(theirs);
    await apply(await plan(wanted));
    expect((await plan(wanted)).changes).toEqual([]);
  });

  test('within an apply keeps what was written before it', async () => {
    const wanted = { ...withColour({ name: 'Paint' }), settings: { page: { title: 'b' } } };
    const prepared = await plan(wanted);
    const start = prepared.changes[0];
    if (start) await apply({ ...prepared, changes: [start] });
    await saveSettings(page, { title: 'Theirs' });

    await expect(apply({ ...prepared, changes: prepared.changes.slice(1) })).rejects.toThrow('config:page');

    expect((await getDictType('colour')).name).toBe('Paint');
    expect((await readSettings(page)).title).toBe('Theirs');
  });
});

async function addSize(): Promise<void> {
  await addDictType({ type_key: 'size', name: 'Theirs', enabled: true });
}

describe('what the plan leaves', () => {
  test('are values that records use, also if the first record comes after the plan', async () => {
    const without = withColour({ items: [] });
    const early = await plan(without);
    await transact(addUsage('colour', '1', 'shop'));

    const { changes, left } = await plan(without);
    const gone = await plan({ ...file, dictionaries: [] });

    expect([changes, left]).toEqual([[], [{ record: 'dict:colour:1', reason: 'records use it' }]]);
    expect(gone.left).toEqual([{ record: 'dict_type:colour', reason: 'not in the file; records use 1' }]);
    await expect(apply(early)).rejects.toThrow('dict:colour:1 was not written: ');
    await transact(removeUsage('colour', '1', 'shop'));
    await deleteDictItem('colour', '1', false);
  });
});

test('what is applied is read at once, also the rights of a role that an administrator has', async () => {
  const [role] = await listRoles();
  const roleIds = role ? [role.id] : [];
  const { id } = await addAdmin({ account: 'holder', name: 'a', password: 'correct horse battery', roleIds });
  const readAll = async () => ({
    grants: (await adminPrincipals.getOne(id))?.principal.grants,
    names: { ...(await dict.map('colour')) },
    title: (await readSettings(page)).title,
  });
  expect(await readAll()).toEqual({ grants: ['shop:read'], names: { 1: 'One' }, title: 'a' });

  await apply(
    await plan({
      ...withColour({ items: [{ ...item, name: 'Uno' }] }),
      roles: [{ ...editor, grants: ['shop:write'] }],
      settings: { page: { title: 'b' } },
    }),
  );

  expect(await readAll()).toEqual({ grants: ['shop:write'], names: { 1: 'Uno' }, title: 'b' });
  const { changes, left } = await plan(empty);
  expect(changes.some(({ record }) => record === 'role:editor')).toBe(false);
  expect(left).toContainEqual({
    record: 'role:editor',
    reason: 'not in the file; administrators who have it: 1',
  });
});
