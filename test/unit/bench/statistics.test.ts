import { describe, expect, test } from '@jest/globals';
import { mapHandlers } from '../../../bench/handlers.ts';
import { compare, compareWith, countRoundTrips, percentile } from '../../../bench/statistics.ts';

const oneToHundred = Array.from({ length: 100 }, (_, index) => 100 - index);

describe('percentile', () => {
  test.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
    [0.001, 1],
  ])('finds the nearest rank of %p', (part, value) => {
    expect(percentile(oneToHundred, part)).toBe(value);
  });

  test('takes the one measurement there is for all of them', () => {
    expect([0.1, 0.5, 0.99].map((part) => percentile([7], part))).toEqual([7, 7, 7]);
  });

  test('refuses a series without measurements', () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});

test('compares medians, and turns with each other', () => {
  expect(compare([1, 2, 9], [2, 4, 6])).toEqual({ value: 2, ratio: 0.5, p10: 0.5, p90: 1.5 });
});

test('compares every handler with one of them', () => {
  const turns = { ours: [1, 2], bare: [2, 4], hono: [3, 3], fastify: [4, 4], nest: [5, 5], empty: [1, 1] };

  const ratios = mapHandlers(compareWith('bare', turns), ({ ratio }) => ratio);

  expect(ratios).toEqual({ ours: 0.5, bare: 1, hono: 1.5, fastify: 2, nest: 2.5, empty: 0.5 });
});

describe('round trips', () => {
  test('are counted by the fastest measurement', () => {
    expect(countRoundTrips([131, 260, 126], 120)).toBe(1);
  });

  test.each([
    [119, 1],
    [247, 2],
    [12, 0],
  ])('%p ms at 120 ms each are %p', (durationMs, roundTrips) => {
    expect(countRoundTrips([durationMs], 120)).toBe(roundTrips);
  });
});
