import { beforeEach, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { removeDictionary } from '#shared/dict/import.ts';
import { deleteDictItem, editDictItem, listDictItems } from '#shared/dict/items.ts';
import { seedDictionary } from '#shared/dict/seed.ts';
import { useDatabase } from '../support/database.ts';
import { absent, disabled, enabled, entriesOf, shopEntries, useWorkshop } from './module-fixture.ts';

// `module:install` from every state, and `seed`.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
const workshop = useWorkshop();
const { run, runAlone, write, put, putManifest, stateOf } = workshop;

const kindType = 'shop_kind';
beforeEach(() => removeDictionary(kindType));

const readKinds = async () => (await listDictItems(kindType)).map(({ value, name }) => `${value}: ${name}`);
const seeded = ['standard: 标准', 'special: 特殊'];
const nothing = 'Nothing to do: Shop is installed and enabled';

test('seeds and enables, and says what to redeploy', async () => {
  put('Shop', absent);

  expect(await run('module:install', 'Shop')).toEqual({
    code: 0,
    printed: 'Seeded: dictionary shop_kind\nInstalled and enabled Shop\nRedeploy: core, shop, aggregate',
    complaint: '',
  });
  expect(await readKinds()).toEqual(seeded);
  expect(stateOf('Shop')).toEqual(enabled);
  expect(entriesOf(workshop)).toEqual(shopEntries);
});

test('does nothing the second time, and keeps what operators changed in the seeds', async () => {
  put('Shop', absent);
  await run('module:install', 'Shop');
  await editDictItem(kindType, 'standard', 1, { name: 'changed' });
  await deleteDictItem(kindType, 'special', false);

  expect(await run('module:install', 'Shop')).toMatchObject({ code: 0, printed: nothing });
  expect(await readKinds()).toEqual(['standard: changed']);
});

test('with --force adds what is missing, once, and changes nothing else', async () => {
  put('Shop', absent);
  await run('module:install', 'Shop');
  await editDictItem(kindType, 'standard', 1, { name: 'changed' });
  await deleteDictItem(kindType, 'special', false);

  const first = await run('module:install', 'Shop', '--force');
  const second = await run('module:install', '--force', 'Shop');

  expect([first.code, second.code, second.printed]).toEqual([0, 0, nothing]);
  expect(first.printed).toMatch(/^Seeded: special in dictionary shop_kind$/m);
  expect(await readKinds()).toEqual(['standard: changed', 'special: 特殊']);
});

test('finishes an installation that stopped after seeding', async () => {
  put('Shop', absent);
  const items = [{ value: 'own', name: 'of an operator' }];
  await seedDictionary({ type_key: kindType, name: 'Kinds', public: true, items });

  const result = await run('module:install', 'Shop');

  expect(result).toMatchObject({ code: 0, complaint: '' });
  expect(result.printed).toContain('Installed and enabled Shop');
  expect(await readKinds()).toEqual(['own: of an operator']);
  expect(stateOf('Shop')).toEqual(enabled);
});

test('finishes an installation that stopped before the functions were listed again', async () => {
  put('Shop', enabled);

  expect(await run('module:install', 'Shop')).toMatchObject({ code: 0, printed: nothing });
  expect(entriesOf(workshop)).toEqual(shopEntries);
});

test('installs a module whose folder was copied here', async () => {
  put('Shop', undefined);

  expect(await run('module:install', 'Shop')).toMatchObject({ code: 0 });
  expect(stateOf('Shop')).toEqual(enabled);
});

test('refuses a module if required modules are not enabled, names them, and seeds nothing', async () => {
  put('Shop', absent);
  putManifest('Cart', disabled);
  const rest = `requires: ['System', 'Cart', 'Nowhere'], dictionaries`;
  putManifest('Shop', absent, rest, `import { dictionaries } from './kinds/dictionaries.ts';`);

  const result = await run('module:install', 'Shop');

  expect(result).toMatchObject({ code: 1, complaint: 'Shop requires Cart, Nowhere: enable it first' });
  expect(await readKinds()).toEqual([]);
  expect(stateOf('Shop')).toEqual(absent);
});

test('refuses a module that breaks a rule, names the file, and seeds nothing', async () => {
  put('Shop', absent);
  write('modules/Shop/Api/wrong.ts', 'export default 1;');

  const result = await run('module:install', 'Shop');

  expect(result.code).toBe(1);
  expect(result.complaint).toContain('modules/Shop/Api/wrong.ts: exports no route');
  expect(await readKinds()).toEqual([]);
  expect(stateOf('Shop')).toEqual(absent);
});

test('lists nothing without a store', async () => {
  put('Shop', absent);

  const result = await runAlone('module:install', 'Shop');

  expect(result.code).toBe(1);
  expect(result.complaint).toMatch(/^APP_KEY is not set: .*npm start/);
  expect(stateOf('Shop')).toEqual(absent);
});

test.each([
  [['Nowhere'], 1, 'There is no module Nowhere in modules/: module:make Nowhere writes one'],
  [['../../elsewhere'], 2, '"../../elsewhere" is not a module name: use PascalCase, as in UserCenter'],
  [[], 2, "error: missing required argument 'Name'"],
  [['Shop', '--now'], 2, "error: unknown option '--now'"],
])('refuses the arguments %j', async (args, code, complaint) => {
  const result = await run('module:install', ...args);

  expect([result.code, result.complaint.split('\n')[0]]).toEqual([code, complaint]);
});

test('seed creates missing data of the enabled modules, once', async () => {
  put('Shop', enabled);
  put('Cart', absent);

  const results = [await run('seed'), await run('seed')];

  expect(results.map(({ code }) => code)).toEqual([0, 0]);
  expect(results[0]?.printed).toMatch(/^Seeded: .*dictionary shop_kind/);
  expect(results[1]?.printed).toBe('Nothing to do: all dictionaries exist');
  expect(await readKinds()).toEqual(seeded);
  expect(await listDictItems('cart_kind')).toEqual([]);
});
