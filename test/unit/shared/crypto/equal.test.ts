import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isEqual } from '#shared/crypto/equal.ts';

test('agrees with plain comparison for any two texts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(isEqual(a, b)).toBe(a === b);
      expect(isEqual(a, a)).toBe(true);
    }),
  );
});

test.each([
  ['', 'a'],
  ['a', 'ab'],
  ['abc', 'abd'],
  ['é', 'e'],
])('tells %j from %j', (a, b) => {
  expect(isEqual(a, b)).toBe(false);
});
