import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ListState } from '#console/base/list-page.ts';
import { readAll, readAllRows } from '#console/kit/lists/read-all.ts';

const rowsOf = (length: number) => Array.from({ length }, (_, id) => ({ id }));
const collect = async (pages: ReturnType<typeof readAll>) =>
  (await Array.fromAsync(pages)).flatMap(({ rows }) => rows);

/** A list of `length` rows as the service answers it. */
const reader = (length: number) => ({
  page: async ({ pageNo, pageSize }: ListState) => ({
    rows: rowsOf(length).slice((pageNo - 1) * pageSize, pageNo * pageSize),
    total: length,
  }),
  cursor: async ({ cursor = '0', pageSize }: ListState) => {
    const end = Number(cursor) + pageSize;
    return {
      rows: rowsOf(length).slice(Number(cursor), end),
      ...(end < length && { nextCursor: String(end) }),
    };
  },
  all: async () => ({ rows: rowsOf(length) }),
});

test.each(['page', 'cursor', 'all'] as const)('reads every row once, paging: %s', async (paging) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 650 }), async (length) => {
      expect(await collect(readAll(paging, {}, reader(length)[paging]))).toEqual(rowsOf(length));
    }),
  );
});

test('ends if rows disappear while it reads', async () => {
  const pages = readAll('page', {}, async ({ pageNo }) => ({
    rows: pageNo === 1 ? rowsOf(2) : [],
    total: 500,
  }));

  expect(await collect(pages)).toEqual(rowsOf(2));
});

test('passes the filters on, and a failure out', async () => {
  const failing = readAll('cursor', { status: 'ok' }, async ({ filters }) => {
    throw new Error(JSON.stringify(filters));
  });

  await expect(collect(failing)).rejects.toThrow('{"status":"ok"}');
});

test('reads every row of numbered pages in order, and no page twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 1000 }), async (length) => {
      const read: number[] = [];
      const rows = await readAllRows(async ({ pageNo, pageSize }) => {
        read.push(pageNo);
        const list = rowsOf(length).slice((pageNo - 1) * pageSize, pageNo * pageSize);
        return { data: { list, total: length } };
      });
      expect(rows).toEqual(rowsOf(length));
      expect(read).toHaveLength(Math.max(1, Math.ceil(length / 200)));
    }),
  );
});
