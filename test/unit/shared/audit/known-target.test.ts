import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { formatTarget } from '#shared/audit/known-target.ts';

const format = (field: z.core.$ZodType, value: unknown, isFirstEnough = true) =>
  formatTarget('order:{id}', {
    ...{ schema: z.strictObject({ id: field, other: z.optional(z.string()) }), given: { id: value } },
    ...{ adminId: null, isFirstEnough },
  });

describe('an argument names a record', () => {
  test.each<[string, z.core.$ZodType, unknown, string]>([
    ['a text', z.string(), 'a1', 'order:a1'],
    ['a number', z.int(), 7, 'order:7'],
    ['the number 0', z.int(), 0, 'order:0'],
    [
      'what a text is converted to',
      z.pipe(
        z.string(),
        z.transform((given) => BigInt(given)),
      ),
      '12',
      'order:12',
    ],
    ['the first of several numbers', z.array(z.int()), [3, 4], 'order:3'],
  ])('if it is %s', (_title, field, value, target) => {
    expect(format(field, value)).toBe(target);
  });
});

describe('an argument names no record', () => {
  test.each<[string, z.core.$ZodType, unknown]>([
    ['if it does not fit its schema', z.int(), 'a'],
    [
      'if its schema throws',
      z.pipe(
        z.string(),
        z.transform((given) => BigInt(given)),
      ),
      'a',
    ],
    ['if its schema is asynchronous', z.string().check(z.refine(async () => true)), 'a'],
    ['if it is a flag', z.boolean(), true],
    ['if it is null', z.nullable(z.int()), null],
    ['if it is an object', z.object({}), {}],
    ['if its list is empty', z.array(z.int()), []],
  ])('%s', (_title, field, value) => {
    expect(format(field, value)).toBeNull();
  });

  test('if it is the first of several, and one record must be named', () => {
    expect(format(z.array(z.int()), [3, 4], false)).toBeNull();
    expect(format(z.array(z.int()), [3], false)).toBe('order:3');
  });
});
