import { describe, expect, test } from '@jest/globals';
import { compare, countRoundTrips, percentile, summarize } from '../../../bench/statistics.ts';

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
    expect(summarize([7])).toEqual({ median: 7, p10: 7, p90: 7, p99: 7 });
  });

  test('refuses a series without measurements', () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});

test('compares medians, and turns with each other', () => {
  expect(compare([1, 2, 9], [2, 4, 6])).toEqual({ ratio: 0.5, p10: 0.5, p90: 1.5 });
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
