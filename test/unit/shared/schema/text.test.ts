import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { text } from '#shared/schema/text.ts';

describe('text', () => {
  test.each([
    ['  ab\t', 'ab'],
    ['\u3000中文\u00a0', '中文'],
    ['a b', 'a b'],
    ['a\tb\nc\rd', 'a\tb\nc\rd'],
    ['<b>', '<b>'],
  ])('makes %j %j', (given, expected) => {
    expect(z.parse(text(1, 20), given)).toBe(expected);
  });

  test('counts code points', () => {
    const schema = text(3, 3);

    expect(z.safeParse(schema, '😀中a').success).toBe(true);
    expect(z.safeParse(schema, '😀a').success).toBe(false);
    expect(z.safeParse(schema, '😀中ab').success).toBe(false);
  });

  test('counts after trimming', () => {
    expect(z.safeParse(text(1, 3), '   ').success).toBe(false);
    expect(z.safeParse(text(0, 3), '   ').data).toBe('');
    expect(z.safeParse(text(1, 3), '  abc  ').success).toBe(true);
  });

  test.each(['a\0', 'a\x1b[0m', '\x7fa', 'a\x85b', 'a\x9fb', 'a\bb'])(
    'refuses the control in %j',
    (given) => {
      expect(z.safeParse(text(0, 20), given).success).toBe(false);
    },
  );

  test.each(['\ud800', 'a\udc00b', '\udc00\ud800', 'a\ud83d'])(
    'refuses half a surrogate pair: %j',
    (given) => {
      expect(z.safeParse(text(0, 20), given).success).toBe(false);
    },
  );

  test.each([7, null, undefined, ['a'], {}])('refuses a value that is not text: %j', (given) => {
    expect(z.safeParse(text(0, 20), given).success).toBe(false);
  });

  test('names its rule and limits', () => {
    const { error } = z.safeParse(text(2, 5), 'a');

    expect(error?.issues).toMatchObject([{ message: 'rule.text', params: { min: 2, max: 5 } }]);
  });

  test('accepts only well-formed, trimmed text of its length', () => {
    const schema = text(1, 5);

    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(fc.constantFrom(...' \t\n\0\ud800😀a'), fc.string()) }),
        (given) => {
          const { data, success } = z.safeParse(schema, given);
          if (!success) return;

          expect(data).toBe(given.trim());
          expect(data.isWellFormed()).toBe(true);
          expect([...data].length).toBeLessThanOrEqual(5);
          expect([...data].length).toBeGreaterThanOrEqual(1);
          expect(data).not.toContain('\0');
        },
      ),
    );
  });
});
