import { expect, test } from '@jest/globals';
import { absent, disabled, enabled, listLeftovers, useWorkshop } from './module-fixture.ts';

// `module:delete` from every state.

const workshop = useWorkshop();
const { list, read, write, has, remove, put, putManifest, stateOf } = workshop;
const run = workshop.runAlone;

test('leaves no trace of a module', async () => {
  const sources = () => list('modules').map((file) => `${file}\n${read(file)}`);
  const before = sources();
  await run('module:make', 'Shop');

  const result = await run('module:delete', 'Shop', '--yes');

  expect(result).toEqual({ code: 0, printed: 'Deleted Shop: modules/Shop', complaint: '' });
  expect(sources()).toEqual(before);
  expect(listLeftovers(workshop)).toEqual([]);
});

test('does nothing the second time', async () => {
  put('Shop', absent);
  await run('module:delete', 'Shop', '--yes');

  const printed = 'Nothing to do: there is no module Shop';
  expect(await run('module:delete', 'Shop')).toMatchObject({ code: 0, printed });
});

test('finishes a deletion that stopped after the files', async () => {
  put('Shop', absent);
  remove('modules/Shop');

  expect(await run('module:delete', 'Shop', '--yes')).toMatchObject({ code: 0, printed: 'Deleted Shop' });
  expect(stateOf('Shop')).toBeUndefined();
});

test('deletes a module that is broken', async () => {
  put('Shop', absent);
  write('modules/Shop/module.ts', 'export default defineModule({');

  expect(await run('module:delete', 'Shop', '--yes')).toMatchObject({ code: 0 });
  expect(has('modules/Shop')).toBe(false);
});

test.each([disabled, enabled])('refuses a module that is %j', async (state) => {
  put('Shop', state);

  const complaint = 'Shop is installed: module:uninstall Shop removes its data first';
  expect(await run('module:delete', 'Shop', '--yes')).toMatchObject({ code: 1, complaint });
  expect(has('modules/Shop/module.ts')).toBe(true);
  expect(stateOf('Shop')).toEqual(state);
});

test('refuses while another module requires it, even one that is not installed', async () => {
  put('Shop', absent);
  putManifest('Cart', absent, `requires: ['Shop']`);

  const complaint = 'Cart requires Shop: disable or remove it first';
  expect(await run('module:delete', 'Shop', '--yes')).toMatchObject({ code: 1, complaint });
  expect(has('modules/Shop/module.ts')).toBe(true);
});

test('does nothing without --yes or a confirmation', async () => {
  put('Shop', absent);

  const result = await run('module:delete', 'Shop');

  expect(result.code).toBe(1);
  expect(result.complaint).toMatch(/^Delete modules\/Shop\? Add --yes/);
  expect(has('modules/Shop/module.ts')).toBe(true);
  expect(stateOf('Shop')).toEqual(absent);
});

test.each([
  ['System', 1],
  ['../cli', 2],
])('refuses the module %s', async (name, code) => {
  expect(await run('module:delete', name, '--yes')).toMatchObject({ code, printed: '' });
  expect([has('modules/System/module.ts'), has('cli/service.ts')]).toEqual([true, true]);
});

test('keeps a module that has the same prefix', async () => {
  put('Shop', absent);

  const printed = 'Nothing to do: there is no module SHOP';
  expect(await run('module:delete', 'SHOP', '--yes')).toMatchObject({ code: 0, printed });
  expect(has('modules/Shop/module.ts')).toBe(true);
});
