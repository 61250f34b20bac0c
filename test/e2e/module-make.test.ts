import { expect, test } from '@jest/globals';
import { wordsOf } from '../support/words.ts';
import { absent, disabled, enabled, entriesOf, listLeftovers, useWorkshop } from './module-fixture.ts';

// `module:make` from every state.

const workshop = useWorkshop();
const { runAlone: run, list, read, write, has, put, setState, stateOf } = workshop;

const files = wordsOf(`
  Admin/kind/list.ts Ai/Tools/ListKindsTool.ts Api/kind/detail.ts Api/kind/list.ts Console/overview.vue
  Mcp/Tools/ListKindsTool.ts errors.ts kinds/dictionaries.ts kinds/kinds.ts lang/en.json lang/zh_CN.json
  module.ts shop.test.ts throttles.ts
`).map((file) => `modules/Shop/${file}`);

test('writes a module that is neither installed nor enabled', async () => {
  const result = await run('module:make', 'Shop');

  expect(result).toMatchObject({ code: 0, complaint: '' });
  expect(result.printed).toMatch(/^Made Shop:\n {2}modules\/Shop\/module\.ts\n/);
  expect(list('modules/Shop')).toEqual(files);
  expect(listLeftovers(workshop)).toEqual([]);
  expect(entriesOf(workshop)).toEqual([]);
  expect(stateOf('Shop')).toEqual(absent);
});

test('finishes if it stopped before the module was listed', async () => {
  put('Shop', undefined);

  expect((await run('module:make', 'Shop')).code).toBe(0);
  expect(list('modules/Shop')).toEqual(files);
  expect(stateOf('Shop')).toEqual(absent);
});

test('finishes a deletion that stopped after the folder', async () => {
  setState('Shop', absent);

  expect((await run('module:make', 'Shop')).code).toBe(0);
  expect(list('modules/Shop')).toEqual(files);
});

test.each([absent, enabled])('refuses a module that exists, and changes nothing: %j', async (state) => {
  put('Shop', state);
  const before = list('modules').map(read);

  const result = await run('module:make', 'Shop');

  expect(result).toMatchObject({ code: 1, complaint: 'The module Shop already exists' });
  expect(list('modules').map(read)).toEqual(before);
});

test('refuses a folder with other files', async () => {
  write('modules/Shop/notes.md', 'my own');

  const complaint = 'modules/Shop already exists with other files';
  expect(await run('module:make', 'Shop')).toMatchObject({ code: 1, complaint });
  expect(list('modules/Shop')).toEqual(['modules/Shop/notes.md']);
  expect(stateOf('Shop')).toBeUndefined();
});

test('refuses a module that is listed as installed, even if its files are gone', async () => {
  setState('Shop', disabled);

  const complaint = 'modules/modules.json lists Shop: restore its files';
  expect(await run('module:make', 'Shop')).toMatchObject({ code: 1, complaint });
  expect(has('modules/Shop')).toBe(false);
});

test('refuses a name whose prefix another module has', async () => {
  const complaint = 'Article has the prefix article too: choose another name';
  expect(await run('module:make', 'ARTICLE')).toMatchObject({ code: 1, complaint });
});

test.each([
  ['shop', /^"shop" is not a module name: use PascalCase/],
  ['../Shop', /^"\.\.\/Shop" is not a module name/],
  ['Core', /^Core is the name of a stack/],
  ['Aggregate', /^Aggregate is the name of a stack/],
  [`A${'b'.repeat(29)}`, /is too long for the names of its functions: shorten it by 1/],
])('refuses the name %s', async (name, complaint) => {
  const result = await run('module:make', name);

  expect(result).toMatchObject({ code: 2, printed: '' });
  expect(result.complaint).toMatch(complaint);
  expect(has(`modules/${name}`)).toBe(false);
});
