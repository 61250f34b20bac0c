import { beforeEach, describe, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { removeDictionary } from '#shared/dict/import.ts';
import { listDictItems } from '#shared/dict/items.ts';
import { useDatabase } from '../support/database.ts';
import { absent, disabled, enabled, entriesOf, shopEntries, useWorkshop } from './module-fixture.ts';

// `module:enable` and `module:disable` from every state.

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
const workshop = useWorkshop();
const { run, runAlone, write, put, putManifest, setState, stateOf } = workshop;

beforeEach(() => removeDictionary('shop_kind'));

describe('module:enable', () => {
  test('leaves the dictionaries to the next start if no server runs', async () => {
    put('Shop', absent);

    const result = await runAlone('module:enable', 'Shop');

    expect(result).toMatchObject({ code: 0, complaint: '' });
    expect(result.printed).toContain('the next npm start adds the dictionaries of Shop');
    expect(await listDictItems('shop_kind')).toEqual([]);
    expect(stateOf('Shop')).toEqual(enabled);
    expect((await run('seed')).printed).toContain('dictionary shop_kind');
  });

  test('only enables a module that is installed, and does nothing the second time', async () => {
    put('Shop', disabled);

    const results = [await runAlone('module:enable', 'Shop'), await runAlone('module:enable', 'Shop')];

    expect(results.map(({ code, printed }) => [code, printed])).toEqual([
      [0, 'Enabled Shop\nRedeploy: core, shop, aggregate'],
      [0, 'Nothing to do: Shop is installed and enabled'],
    ]);
    expect(await listDictItems('shop_kind')).toEqual([]);
    expect(stateOf('Shop')).toEqual(enabled);
  });

  test('refuses a module that conflicts with another one, and changes nothing', async () => {
    put('Shop', disabled);
    const duplicate = `
      import * as z from 'zod/mini';
      import { web } from '#shared/http/route.ts';
      export default web.get({ summary: { zh_CN: '试', en: 'Trial' }, data: z.null(), handler: async () => null });`;
    write('modules/Shop/Web/health.ts', duplicate);

    const result = await runAlone('module:enable', 'Shop');

    expect(result.code).toBe(1);
    expect(result.complaint).toMatch(/GET \/health is also in modules\/\w+\/Web\/health\.ts: rename one/);
    expect(stateOf('Shop')).toEqual(disabled);
    expect(entriesOf(workshop)).toEqual([]);
  });
});

describe('module:disable', () => {
  test('removes the functions and keeps the data', async () => {
    put('Shop', absent);
    await run('module:install', 'Shop');

    const printed = 'Disabled Shop; its data stays\nRedeploy: core, aggregate; remove the stack shop';
    expect(await runAlone('module:disable', 'Shop')).toEqual({ code: 0, printed, complaint: '' });
    expect(stateOf('Shop')).toEqual(disabled);
    expect(entriesOf(workshop)).toEqual([]);
    expect(await listDictItems('shop_kind')).toHaveLength(2);
  });

  test('finishes a change that stopped before the functions were listed again; then does nothing', async () => {
    put('Shop', disabled);
    await runAlone('module:enable', 'Shop');
    setState('Shop', disabled);
    const before = entriesOf(workshop);

    const printed = 'Nothing to do: Shop is not enabled';
    for (let times = 0; times < 2; times += 1)
      expect(await runAlone('module:disable', 'Shop')).toMatchObject({ code: 0, printed });
    expect([before, entriesOf(workshop)]).toEqual([shopEntries, []]);
  });

  test('does nothing to a module that was never installed', async () => {
    put('Shop', absent);

    const printed = 'Nothing to do: Shop is not enabled';
    expect(await runAlone('module:disable', 'Shop')).toMatchObject({ code: 0, printed });
    expect(stateOf('Shop')).toEqual(absent);
  });

  test('disables a broken module while another one is broken too', async () => {
    for (const name of ['Shop', 'Cart']) {
      put(name, enabled);
      write(`modules/${name}/module.ts`, 'export default defineModule({');
    }

    const first = await runAlone('module:disable', 'Shop');
    const second = await runAlone('module:disable', 'Cart');

    expect(first.code).toBe(1);
    expect(first.complaint).toMatch(
      /^modules\/modules\.json is written, but .*:\nmodules\/Cart\/module\.ts cannot be loaded/,
    );
    expect(second).toMatchObject({ code: 0, complaint: '' });
    expect([stateOf('Shop'), stateOf('Cart')]).toEqual([disabled, disabled]);
  });

  test('refuses while an enabled module requires it, and names that module', async () => {
    put('Shop', enabled);
    putManifest('Cart', enabled, `requires: ['Shop']`);

    const refused = await runAlone('module:disable', 'Shop');
    const between = stateOf('Shop');
    setState('Cart', disabled);
    const done = await runAlone('module:disable', 'Shop');

    expect(refused).toMatchObject({ code: 1, complaint: 'Cart requires Shop: disable or remove it first' });
    expect([between, done.code, stateOf('Shop')]).toEqual([enabled, 0, disabled]);
  });

  test('refuses the module System', async () => {
    const complaint = 'System cannot be removed: the service needs it';
    expect(await runAlone('module:disable', 'System')).toMatchObject({ code: 1, complaint });
  });
});
