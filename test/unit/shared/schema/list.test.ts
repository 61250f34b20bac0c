import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { cursorListOf, cursorQuery, pageOf, pageQuery, queryFlag, toPage } from '#shared/schema/list.ts';

const page = z.object(pageQuery);
const cursor = z.object(cursorQuery);

describe('the query of a page', () => {
  test('has defaults', () => {
    expect(z.parse(page, {})).toEqual({ page_no: 1, page_size: 20 });
    expect(z.parse(cursor, {})).toEqual({ limit: 20 });
  });

  test('reads digits', () => {
    expect(z.parse(page, { page_no: '007', page_size: '200' })).toEqual({ page_no: 7, page_size: 200 });
    expect(z.parse(cursor, { limit: '100', cursor: 'x' })).toEqual({ limit: 100, cursor: 'x' });
  });

  test.each(['0', '-1', '1.5', '1e3', '0x10', '', ' 1', '١', 'x', '9999999999', ['1', '2']])(
    'refuses the page number %j',
    (page_no) => {
      expect(z.safeParse(page, { page_no }).success).toBe(false);
    },
  );

  test.each(['0', '1000000000', '9'.repeat(40), 'x'])(
    'names the valid page numbers instead of %s',
    (page_no) => {
      const [issue] = z.safeParse(page, { page_no }).error?.issues ?? [];

      expect(issue).toMatchObject({ message: 'rule.integer', params: { min: 1, max: 999_999_999 } });
    },
  );

  test('refuses more than its limits', () => {
    expect(z.safeParse(page, { page_size: '201' }).success).toBe(false);
    expect(z.safeParse(cursor, { limit: '101' }).success).toBe(false);
    expect(z.safeParse(cursor, { cursor: 'x'.repeat(2001) }).success).toBe(false);
  });
});

describe('queryFlag', () => {
  test.each([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
  ])('reads %s as %j', (given, expected) => {
    expect(z.parse(queryFlag, given)).toBe(expected);
  });

  test.each(['', 'yes', 'TRUE', '2', true])('refuses %j', (given) => {
    expect(z.safeParse(queryFlag, given).success).toBe(false);
  });
});

describe('toPage', () => {
  const items = fc.array(fc.nat());
  const size = fc.integer({ min: 1, max: 12 });

  test('returns the whole list over all pages, each item once', () => {
    fc.assert(
      fc.property(items, size, (list, page_size) => {
        const count = Math.ceil(list.length / page_size);
        const pages = Array.from({ length: count }, (_, index) =>
          toPage(list, { page_no: index + 1, page_size }),
        );

        expect(pages.flatMap((each) => each.list)).toEqual(list);
        expect(pages.every((each) => each.list.length <= page_size)).toBe(true);
      }),
    );
  });

  test('has the total on every page, also past the end', () => {
    fc.assert(
      fc.property(items, size, fc.integer({ min: 1, max: 50 }), (list, page_size, page_no) => {
        const found = toPage(list, { page_no, page_size });

        expect(found).toMatchObject({ total: list.length, page_no, page_size });
        expect(z.safeParse(pageOf(z.int()), found).success).toBe(true);
      }),
    );
  });

  test('is empty past the end', () => {
    expect(toPage([1, 2, 3], { page_no: 3, page_size: 2 }).list).toEqual([]);
  });
});

test('a cursor list ends with null', () => {
  const schema = cursorListOf(z.int());

  expect(z.safeParse(schema, { list: [1], next_cursor: null }).success).toBe(true);
  expect(z.safeParse(schema, { list: [1] }).success).toBe(false);
});
