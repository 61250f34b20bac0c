import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { removeDictionary } from '#shared/dict/import.ts';
import { listDictItems } from '#shared/dict/items.ts';
import { useDatabase } from '../support/database.ts';
import { runScript } from '../support/run-service.ts';
import { enabled, useWorkshop } from './module-fixture.ts';

// `resource:make` and `resource:field`, and what undoes them.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
const pages = ['docs/errors.md', 'docs/api.md', 'permissions.txt'];
const workshop = useWorkshop([...pages, 'biome.json', '.gitignore']);
const { has, list, read, run, runAlone, stateOf, write } = workshop;

/** The pages about the modules of the copy, which are not all of the project's if others have added theirs. */
let current: (readonly [file: string, text: string])[] = [];
beforeAll(async () => {
  expect(await runScript('cli/docs.ts', [], workshop.root, {})).toMatchObject({ code: 0 });
  current = pages.map((file) => [file, read(file)]);
});
beforeEach(async () => {
  for (const [file, text] of current) write(file, text);
  workshop.remove('.undo');
  for (const type of ['shop_status', 'box_status']) await removeDictionary(type);
});

const readTree = () =>
  [...pages, ...list('modules'), ...list('.undo')].map((file) => `${file}\n${read(file)}`);
const listValues = async (type: string) => (await listDictItems(type)).map(({ value }) => value);

test('makes a module, adds to it and undoes each command, without a server', async () => {
  const before = readTree();
  const first = await runAlone('resource:make', 'Shop', 'product', 'price:money');
  expect(first).toMatchObject({ code: 0, complaint: '' });
  expect(stateOf('Shop')).toEqual(enabled);
  expect(read('permissions.txt')).toContain('shop/product/add:write');
  const made = readTree();

  await runAlone('resource:field', 'Shop', 'product', 'size:integer(0,9)');
  const refused = await runAlone('resource:make', 'Shop', 'product', '--undo');
  const field = await runAlone('resource:field', 'Shop', 'product', 'size', '--undo');
  expect(refused).toMatchObject({ code: 1, printed: '' });
  expect(refused.complaint).toContain('npm run service -- resource:field Shop product size --undo');
  expect(field).toEqual({
    code: 0,
    printed: 'Undone: resource:field Shop product size\nPut back:\n  modules/Shop/products/products.ts',
    complaint: '',
  });
  expect(readTree()).toEqual(made);

  const shown = await runAlone('resource:make', 'Shop', 'product', '--undo', '--dry-run');
  expect(shown.printed).toContain('Would undo: resource:make Shop product\nWould remove:\n');
  expect(readTree()).toEqual(made);

  // As the command was typed, with its fields.
  const undone = await runAlone('resource:make', 'Shop', 'product', 'price:money', '--undo');
  expect(undone).toMatchObject({ code: 0, complaint: '' });
  expect(undone.printed).toContain('Shop is as it was before');
  expect(readTree()).toEqual(before);
  expect(has('modules/Shop')).toBe(false);
  expect(has('.undo')).toBe(false);
  expect(await runAlone('resource:make', 'Shop', 'product', '--undo')).toEqual({
    code: 0,
    printed: 'Nothing to do: modules/Shop/products/products.ts is as if the command had not run',
    complaint: '',
  });
});

test('leaves an edited file, and a service that is as good as before', async () => {
  await runAlone('resource:make', 'Shop', 'product', 'price:money');
  const file = 'modules/Shop/Admin/product/list.ts';
  write(file, `${read(file)}// Mine.\n`);

  const undone = await runAlone('resource:make', 'Shop', 'product', '--undo');

  expect(undone).toMatchObject({ code: 0, complaint: '' });
  expect(undone.printed).toContain(`Kept, because it was edited since:\n  ${file}`);
  expect(read(file)).toContain('// Mine.');
  expect((await runAlone('route:list', 'shop')).printed).toContain('/adminapi/shop/product/list');

  write('modules/Shop/module.ts', `${read('modules/Shop/module.ts')}// Mine.\n`);
  const before = readTree();
  const refused = await runAlone('resource:make', 'Shop', 'product', '--undo');
  expect(refused).toMatchObject({ code: 1, printed: '' });
  expect(refused.complaint).toContain('modules/Shop/module.ts was edited since: nothing is changed');
  expect(readTree()).toEqual(before);
});

test('refuses without a note, and without fields', async () => {
  await runAlone('resource:make', 'Shop', 'product', 'price:money');
  workshop.remove('.undo');
  const before = readTree();

  const undone = await runAlone('resource:make', 'Shop', 'product', '--undo');
  const field = await runAlone('resource:field', 'Shop', 'product', 'price', '--undo');
  const bare = await runAlone('resource:make', 'Shop', 'product');

  expect(undone).toMatchObject({ code: 1, printed: '' });
  expect(undone.complaint).toContain('.undo/Shop/product.json is not');
  expect(field).toMatchObject({ code: 1, printed: '' });
  expect(bare).toMatchObject({ code: 2, printed: '' });
  expect(readTree()).toEqual(before);
});

test('seeds the dictionaries of each resource, and removes the data of a module that goes', async () => {
  await run('resource:make', 'Shop', 'product', 'status:dict(shop_status)');
  const added = await run('resource:make', 'Shop', 'box', 'status:dict(box_status)');
  expect(added).toMatchObject({ code: 0, complaint: '' });
  expect(await listValues('shop_status')).toEqual(['first', 'second']);
  expect(await listValues('box_status')).toEqual(['first', 'second']);

  const box = await run('resource:make', 'Shop', 'box', '--undo');
  expect(box).toMatchObject({ code: 0, complaint: '' });
  expect(box.printed).toContain('Data stays');
  const before = readTree();
  const asked = await run('resource:make', 'Shop', 'product', '--undo');
  expect(asked).toMatchObject({ code: 1, complaint: expect.stringContaining('Add --yes') });
  expect(readTree()).toEqual(before);

  const undone = await run('resource:make', 'Shop', 'product', '--undo', '--yes');
  expect(undone).toMatchObject({ code: 0, complaint: '' });
  expect(await listValues('shop_status')).toEqual([]);
  expect(has('modules/Shop')).toBe(false);
  expect(stateOf('Shop')).toBeUndefined();
});
