import { expect, test } from '@jest/globals';
import { absent, entriesOf, listLeftovers, useWorkshop } from './module-fixture.ts';

// `module:make` from every state.

const workshop = useWorkshop();
const { run, list, read, write, has, remove, put, setState, stateOf } = {
  ...workshop,
  run: workshop.runAlone,
};

const sources = [
  'modules/Shop/Admin/kind/list.ts',
  'modules/Shop/Ai/Tools/ListKindsTool.ts',
  'modules/Shop/Api/kind/list.ts',
  'modules/Shop/Mcp/Tools/ListKindsTool.ts',
  'modules/Shop/data/dictionaries.ts',
  'modules/Shop/data/list-kinds.ts',
  'modules/Shop/module.ts',
];
const tests = ['test/unit/modules/shop/shop.test.ts'];

test('writes a module that is neither installed nor enabled', async () => {
  const result = await run('module:make', 'Shop');

  expect(result).toMatchObject({ code: 0, complaint: '' });
  expect(result.printed).toMatch(/^Made Shop:\n {2}test\/unit\/modules\/shop\/shop\.test\.ts\n/);
  expect([list('modules/Shop'), list('test')]).toEqual([sources, tests]);
  expect(listLeftovers(workshop)).toEqual([]);
  expect(entriesOf(workshop)).toEqual([]);
  expect(stateOf('Shop')).toEqual(absent);
});

test('finishes what was cut short after the tests were written', async () => {
  put('Shop', undefined);
  const before = sources.map(read);
  remove('modules/Shop');

  const result = await run('module:make', 'Shop');

  expect(result.code).toBe(0);
  expect(sources.map(read)).toEqual(before);
  expect(list('test')).toEqual(tests);
  expect(stateOf('Shop')).toEqual(absent);
});

test('finishes what was cut short before it was listed', async () => {
  put('Shop', undefined);

  const result = await run('module:make', 'Shop');

  expect(result.code).toBe(0);
  expect([list('modules/Shop'), list('test')]).toEqual([sources, tests]);
  expect(stateOf('Shop')).toEqual(absent);
});

test('finishes a deletion that was cut short after the tests', async () => {
  put('Shop', absent);
  remove('test');

  const result = await run('module:make', 'Shop');

  expect(result.code).toBe(0);
  expect([list('modules/Shop'), list('test')]).toEqual([sources, tests]);
  expect(stateOf('Shop')).toEqual(absent);
});

test('finishes a deletion that was cut short after both folders', async () => {
  setState('Shop', absent);

  const result = await run('module:make', 'Shop');

  expect(result.code).toBe(0);
  expect([list('modules/Shop'), list('test')]).toEqual([sources, tests]);
});

test('refuses a module without tests that is installed', async () => {
  put('Shop', { installed: true, enabled: true });
  remove('test');

  const result = await run('module:make', 'Shop');

  expect(result).toMatchObject({ code: 1, complaint: 'There is a module Shop already' });
  expect(list('test')).toEqual([]);
});

test('refuses a module that is there, and changes nothing', async () => {
  await run('module:make', 'Shop');
  const before = list('modules').map(read);

  const result = await run('module:make', 'Shop');

  expect(result).toMatchObject({ code: 1, complaint: 'There is a module Shop already' });
  expect(list('modules').map(read)).toEqual(before);
});

test.each(['modules/Shop/notes.md', 'test/unit/modules/shop/own.test.ts'])(
  'refuses to write beside %s',
  async (file) => {
    write(file, 'my own');

    const result = await run('module:make', 'Shop');

    const folder = file.slice(0, file.lastIndexOf('/'));
    expect(result).toMatchObject({ code: 1, complaint: `${folder} is there already, with files of its own` });
    expect([...list('modules/Shop'), ...list('test')]).toEqual([file]);
    expect(stateOf('Shop')).toBeUndefined();
  },
);

test('refuses a name that is listed as installed, whose files are gone', async () => {
  setState('Shop', { installed: true, enabled: false });

  const result = await run('module:make', 'Shop');

  expect(result).toMatchObject({
    code: 1,
    complaint: 'modules/modules.json lists Shop: bring its files back',
  });
  expect(has('modules/Shop')).toBe(false);
});

test('refuses a name whose prefix another module has', async () => {
  expect(await run('module:make', 'ARTICLE')).toMatchObject({
    code: 1,
    complaint: 'The prefix article is that of Article: choose another name',
  });
});

test.each([
  ['shop', /^"shop" is no module name: use PascalCase/],
  ['../Shop', /^"\.\.\/Shop" is no module name/],
  ['Core', /^Core is the name of a stack/],
  ['Aggregate', /^Aggregate is the name of a stack/],
  [`A${'b'.repeat(29)}`, /is too long for the names of its functions, by 1/],
])('refuses the name %s', async (name, complaint) => {
  const result = await run('module:make', name);

  expect(result).toMatchObject({ code: 2, printed: '' });
  expect(result.complaint).toMatch(complaint);
  expect(has(`modules/${name}`)).toBe(false);
});
