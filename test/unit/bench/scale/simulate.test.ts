import { describe, expect, test } from '@jest/globals';
import type { Access, Usage } from '../../../../bench/accounting/access.ts';
import { toFamily } from '../../../../bench/scale/families.ts';
import { goals, mix } from '../../../../bench/scale/mix.ts';
import { listMissed, renderScale } from '../../../../bench/scale/render-scale.ts';
import { type Flow, listBusiest, listLimits, simulate } from '../../../../bench/scale/simulate.ts';
import { events, requests } from '../../../round-trips/scenarios.ts';

const access = (key: string, given: Partial<Access> = {}): Access => ({
  place: 'table',
  key,
  readUnits: 0,
  writeUnits: 0,
  ...given,
});
const usage = (accesses: Access[] = [], commands = 0): Usage => ({ accesses, commands, computeMs: 1 });
const flow = (scenario: string, hit: Usage, miss = hit): Flow => ({
  scenario,
  functionName: scenario,
  memoryMb: 512,
  billedMs: 20,
  hit,
  miss,
});
const id = '01M82304SX1DWPRJ4A3DFCKAXJ';

describe('families of keys', () => {
  test.each([
    [`USER#${id}`, 'USER#{id}'],
    ['CLAIM#USER_MOBILE#13485260883', 'CLAIM#USER_MOBILE#{mobile}'],
    ['CLAIM#USER_SN#630995015', 'CLAIM#USER_SN#{number}'],
    ['service:session:QqQb6H4b8peY3uMAjmHDOC4S', 'service:session:{hash}'],
    ['USER#4c4a54a3-52b4-4d4e-9a5c-6f4f1c4bb5ac', 'USER#{id}'],
  ])('%s is one of many', (key, name) => {
    const family = toFamily(key);

    expect(family.name).toBe(name);
    expect(family.busiestShare).toBeLessThan(0.01);
  });

  test.each([
    ['USER~3', 1 / 8],
    ['FILE_TYPE#image~8', 1 / 8],
    ['UPLOAD~12', 1 / 16],
    ['COUNTER#USERS#31', 1 / 32],
    ['COUNTER#USERS_MONTH#2026-11#0', 1 / 32],
  ])('%s carries its part', (key, share) => {
    expect(toFamily(key).busiestShare).toBe(share);
  });

  test.each([
    'USER',
    'FILE',
    'FILE_TYPE#image',
    'ARTICLE#enabled',
    'FILE_CATEGORY',
    'COUNTER#USERS',
    'CONFIG#basics',
  ])('%s carries the whole load', (key) => {
    expect(toFamily(key)).toEqual({ name: key, busiestShare: 1, isPersonal: false });
  });
});

describe('a simulation', () => {
  test('names the hot key of an index that all new items are listed in', () => {
    const hot = usage([
      access(`USER#${id}`, { writeUnits: 2 }),
      access('USER', { place: 'gsi1', writeUnits: 2 }),
    ]);

    const load = simulate([flow('register', hot)], { register: 2_000 }, 0);

    expect(listBusiest(load, 'writeUnits')[0]).toMatchObject({
      place: 'gsi1',
      name: 'USER',
      writeUnits: 4_000,
    });
    expect(listLimits(load).find(({ name }) => name === 'keyWrites')).toEqual({
      name: 'keyWrites',
      at: 0.25,
    });
  });

  test('shares the load of partitions', () => {
    const spread = usage([access('USER~1', { place: 'gsi1', writeUnits: 2 })]);

    const load = simulate([flow('register', spread)], { register: 2_000 }, 0);

    expect(load.total.keyWrites).toBe(500);
    expect(load.total.tableWrites).toBe(4_000);
  });

  test('adds up what scenarios ask of one key', () => {
    const reads = (units: number) => usage([access('DICT_TYPE', { readUnits: units })]);

    const load = simulate([flow('a', reads(1)), flow('b', reads(0.5))], { a: 10, b: 100 }, 0);

    expect(load.total.keyReads).toBe(60);
  });

  test('counts commands, functions at a time and transactions', () => {
    const asked = usage(
      [access('COUNTER#USERS#1', { writeUnits: 2, transactionOn: 'COUNTER#USERS#1 1' })],
      3,
    );

    const { total } = simulate([flow('a', asked)], { a: 640 }, 0);

    expect(total).toMatchObject({ commands: 1_920, gateway: 640, itemTransactions: 20 });
    expect(total.concurrency).toBeCloseTo(12.8);
  });

  test('reads for a caller who is not cached what is of the caller, and nothing that all share', () => {
    const miss = usage(
      [access(`SESSION#${id}`, { readUnits: 1 }), access('CONFIG#basics', { readUnits: 1 })],
      10,
    );

    const { total } = simulate([flow('a', usage([], 1), miss)], { a: 100 }, 0.1);

    expect(total.tableReads).toBeCloseTo(10);
    expect(total.commands).toBeCloseTo(190);
  });

  test('fails for a scenario that is not recorded', () => {
    expect(() => simulate([], { a: 1 }, 0)).toThrow('a is not recorded');
  });
});

describe('the goals', () => {
  const names = [...Object.keys(mix), ...goals.flatMap(({ parts }) => Object.keys(parts))];
  const flows = (accesses: Access[]) => [...new Set(names)].map((name) => flow(name, usage(accesses, 1)));

  test('and the mix are of scenarios that there are', () => {
    const known = new Set([...Object.keys(requests), ...Object.keys(events)]);

    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test('hold if no key is hot', () => {
    expect(listMissed(flows([access(`USER#${id}`, { writeUnits: 2 })]))).toEqual([]);
  });

  test('are missed by name where one key is hot', () => {
    const missed = listMissed(flows([access('FILE', { place: 'gsi1', writeUnits: 2 })]));

    expect(missed).toContain('uploads by form: one key, write units a second 4,000, at most 1000');
    expect(missed).toHaveLength(goals.length);
  });

  test('stand in the tables, with what is above a limit in bold', () => {
    const text = renderScale(flows([access('ARTICLE#enabled', { place: 'gsi3', readUnits: 1 })])).replace(
      / +/g,
      ' ',
    );

    expect(text).toContain(
      '| one key, read units a second | 3,000 | 100 | 1,000 | **10,000** | **100,000** |',
    );
    expect(text).toContain('| one key, read units a second: gsi3 `ARTICLE#enabled` | 3,000 |');
    expect(text).toContain('| first to give | | – | – |');
  });
});
