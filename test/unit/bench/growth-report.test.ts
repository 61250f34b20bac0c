import { describe, expect, test } from '@jest/globals';
import type { Growth } from '../../../bench/growth/measure-growth.ts';
import { listUnbounded } from '../../../bench/growth/report.ts';

const reads = (items: number) => ({ requests: 1, items, capacity: 1 });

function growth(few: number, many: number, bound?: Growth['bound'], cached = 0): Growth {
  return {
    name: 'a list',
    bound,
    few: { count: 100, miss: reads(few), hit: reads(0) },
    many: { count: 100_000, miss: reads(many), hit: reads(cached) },
  };
}

describe('what reads more', () => {
  test('with many items than with few is reported with both numbers', () => {
    expect(listUnbounded([growth(20, 21)])).toEqual([
      'a list, not cached: 21 items with 100000 in the table, at most 20',
    ]);
  });

  test('within its bound passes', () => {
    expect(listUnbounded([growth(20, 20), growth(102, 1002, 1000)])).toEqual([]);
  });

  test('above its bound is reported', () => {
    expect(listUnbounded([growth(102, 1103, 1000)])).toHaveLength(1);
  });

  test('once, to be cached, passes; from the cache it does not', () => {
    expect(listUnbounded([growth(11, 10_001, 'cached')])).toEqual([]);
    expect(listUnbounded([growth(11, 10_001, 'cached', 1)])[0]).toMatch(/^a list, cached: 1 items/);
  });
});
