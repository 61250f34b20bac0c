import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readMegabytes, writeMegabytes } from '#console/fields/amounts/bytes-text.ts';

test.each([
  ['5', 5 * 1024 ** 2],
  [' 1.5 ', 1.5 * 1024 ** 2],
  ['1,5', 1.5 * 1024 ** 2],
  ['0.5', 512 * 1024],
  ['1.', 1024 ** 2],
  ['', ''],
  ['5 MB', '5 MB'],
  ['-1', '-1'],
  ['1e3', '1e3'],
])('reads %p as %p', (typed, held) => {
  expect(readMegabytes(typed)).toBe(held);
});

test.each([
  [5 * 1024 ** 2, '5'],
  [1, '0.000001'],
  ['', ''],
  [undefined, ''],
  ['much', 'much'],
])('writes %p as %p', (held, text) => {
  expect(writeMegabytes(held)).toBe(text);
});

test('keeps every byte', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1024 ** 4 }), (bytes) => {
      expect(readMegabytes(writeMegabytes(bytes))).toBe(bytes);
    }),
  );
});
