import { beforeEach, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { countArticles } from '#modules/Article/articles/article-record.ts';
import { addArticle } from '#modules/Article/articles/write-articles.ts';
import articleModule from '#modules/Article/module.ts';
import { getItem, queryPartition, transact } from '#shared/db/items.ts';
import { removeDictionary } from '#shared/dict/import.ts';
import { addDictItem, deleteDictItem, listDictItems } from '#shared/dict/items.ts';
import { seedDictionary } from '#shared/dict/seed.ts';
import { addUsage, removeUsage } from '#shared/dict/usage.ts';
import { useDatabase } from '../support/database.ts';
import { keys } from '../support/keys.ts';
import { absent, disabled, enabled, entriesOf, shopEntries, useWorkshop } from './module-fixture.ts';

// `module:uninstall` from every state.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local', [articleModule]);
const workshop = useWorkshop();
const { run, write, remove, put, putManifest, setState, stateOf } = workshop;

const kindType = 'shop_kind';
beforeEach(async () => {
  await removeDictionary(kindType);
  put('Shop', enabled);
  const items = ['standard', 'special'].map((value) => ({ value, name: value }));
  await seedDictionary({ type_key: kindType, name: 'Kinds', public: true, items });
});

const uninstall = (name = 'Shop') => run('module:uninstall', name, '--yes');

test('removes functions and data, and says what to redeploy', async () => {
  await addDictItem({ type_key: kindType, value: 'own', name: 'of an operator' });
  await run('module:enable', 'Shop');
  const before = entriesOf(workshop);

  expect(await uninstall()).toEqual({
    code: 0,
    printed: [
      'Removed: dictionary shop_kind',
      'Uninstalled Shop',
      'Redeploy: core, aggregate; remove the stack shop',
    ].join('\n'),
    complaint: '',
  });
  expect(await getItem(keys.dictType(kindType))).toBeUndefined();
  expect(await listDictItems(kindType)).toEqual([]);
  expect(stateOf('Shop')).toEqual(absent);
  expect([before, entriesOf(workshop)]).toEqual([shopEntries, []]);
});

test('does nothing the second time', async () => {
  await uninstall();

  expect(await uninstall()).toMatchObject({ code: 0, printed: 'Nothing to do: Shop is not installed' });
  expect(stateOf('Shop')).toEqual(absent);
});

test('finishes an uninstallation that stopped within the data', async () => {
  setState('Shop', disabled);
  await deleteDictItem(kindType, 'special', false);

  const result = await uninstall();

  expect(result).toMatchObject({ code: 0, printed: 'Removed: dictionary shop_kind\nUninstalled Shop' });
  expect(await getItem(keys.dictType(kindType))).toBeUndefined();
  expect(stateOf('Shop')).toEqual(absent);
});

test('finishes an uninstallation that stopped after the data', async () => {
  setState('Shop', disabled);
  await removeDictionary(kindType);

  expect(await uninstall()).toMatchObject({ code: 0, printed: 'Uninstalled Shop' });
  expect(stateOf('Shop')).toEqual(absent);
});

test('removes data from another store if the module is already listed as not installed', async () => {
  setState('Shop', absent);

  expect(await uninstall()).toMatchObject({ code: 0, printed: 'Removed: dictionary shop_kind' });
});

test('does nothing without --yes or a confirmation', async () => {
  const { code, complaint } = await run('module:uninstall', 'Shop');

  const asked = 'Uninstall Shop and remove its data? Add --yes: this is not a terminal. Nothing was done.';
  expect([code, complaint]).toEqual([1, asked]);
  expect(await listDictItems(kindType)).toHaveLength(2);
  expect(stateOf('Shop')).toEqual(enabled);
});

test('refuses while an installed module requires it', async () => {
  putManifest('Cart', disabled, `requires: ['Shop']`);

  const result = await uninstall();

  expect(result).toMatchObject({ code: 1, complaint: 'Cart requires Shop: disable or remove it first' });
  expect(stateOf('Shop')).toEqual(enabled);
  expect(await listDictItems(kindType)).toHaveLength(2);
});

test.each(['Nowhere', 'System'])('refuses the module %s', async (name) => {
  expect(await uninstall(name)).toMatchObject({ code: 1, printed: '' });
});

test('keeps a dictionary that another installed module declares', async () => {
  const seed = `{ type_key: '${kindType}', name: 'Kinds', public: true, items: [] }`;
  putManifest('Cart', disabled, `dictionaries: [${seed}]`);

  const result = await uninstall();

  expect(result.code).toBe(0);
  expect(result.printed).toMatch(/^Kept: dictionary shop_kind, which Cart declares too\nUninstalled Shop/);
  expect(await listDictItems(kindType)).toHaveLength(2);
});

test('keeps a dictionary whose values are used by records of other modules', async () => {
  await transact(addUsage(kindType, 'special', 'cart'));

  const result = await uninstall();
  await transact(removeUsage(kindType, 'special', 'cart'));

  expect(result.code).toBe(0);
  expect(result.printed).toMatch(/^Kept: dictionary shop_kind, which records of cart refer to\n/);
  expect(await listDictItems(kindType)).toHaveLength(2);
});

test('removes settings, and runs uninstall.ts of the module', async () => {
  const imports = `
    import * as z from 'zod/mini';
    import { defineConfigGroup, setting } from '#shared/settings/group.ts';
    const title = setting({ schema: z.string(), default: '', description: { zh_CN: '甲', en: 'A' } });`;
  const rest = `configs: [defineConfigGroup({ name: 'shop', keys: { title } })]`;
  putManifest('Shop', enabled, rest, imports);
  write(
    'modules/Shop/uninstall.ts',
    `import { defineUninstall } from '#shared/module/module.ts';
     export default defineUninstall({ run: async () => ({ orders: 2, carts: 0 }) });`,
  );
  await run('config:set', 'shop.title=Shop');
  const before = await queryPartition(keys.configs('shop'));

  const result = await uninstall();

  expect(before).toHaveLength(1);
  expect(result.printed).toMatch(/^Removed: 2 orders, settings shop\n/);
  expect(await queryPartition(keys.configs('shop'))).toEqual([]);
});

test('removes the articles of the module Article and their counters', async () => {
  for (const category of ['news', 'news', 'help']) {
    await addArticle({ title: 'Title', category, content: '<p></p>' });
  }

  expect((await uninstall('Article')).printed).toMatch(/^Removed: 3 articles, dictionary article_category\n/);
  expect(await countArticles()).toBe(0);
  expect(await getItem(keys.usageTotal('article_category', 'news'))).toMatchObject({ count: 0 });
  expect(stateOf('Article')).toEqual(absent);
});

test('leaves the module disabled if removing fails, and continues once that is fixed', async () => {
  const broken = `export default { run: async () => { throw new Error('The orders are away'); } };`;
  write('modules/Shop/uninstall.ts', broken);

  const failed = await uninstall();
  const between = stateOf('Shop');
  remove('modules/Shop/uninstall.ts');
  const done = await uninstall();

  expect(failed).toMatchObject({ code: 1, complaint: 'The orders are away' });
  expect(between).toEqual(disabled);
  expect(done.code).toBe(0);
  expect(stateOf('Shop')).toEqual(absent);
});
