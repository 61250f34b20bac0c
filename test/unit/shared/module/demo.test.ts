import '../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import { createRandom, daysBefore } from '#shared/module/demo.ts';

test('gives a time of an earlier day in the configured time zone', () => {
  // 2026-03-02T05:00 in Shanghai.
  const began = new Date('2026-03-01T21:00:00.000Z');

  expect(daysBefore({ began }, 1, 9.5).toISOString()).toBe('2026-03-01T01:30:00.000Z');
  expect(daysBefore({ began }, 30, 23).toISOString()).toBe('2026-01-31T15:00:00.000Z');
  expect(began.toISOString()).toBe('2026-03-01T21:00:00.000Z');
});

test('gives the same numbers for a seed, from 0 to below 1', () => {
  const draw = (seed: number) => Array.from({ length: 1000 }, createRandom(seed));

  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(draw(1).every((number) => number >= 0 && number < 1)).toBe(true);
});
