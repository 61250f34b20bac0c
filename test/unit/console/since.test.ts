import { describe, expect, test } from '@jest/globals';
import { beginOfDays } from '#console/kit/lists/since.ts';

describe('the begin of the last days', () => {
  const now = new Date(2026, 2, 3, 15, 30);

  test.each([
    [1, new Date(2026, 2, 3)],
    [7, new Date(2026, 1, 25)],
    [30, new Date(2026, 1, 2)],
  ])('is midnight, %i days counted with today', (days, begin) => {
    expect(beginOfDays(days, now)).toBe(begin.toISOString());
  });
});
