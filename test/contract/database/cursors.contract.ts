import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { queryPage, transact } from '#shared/db/items.ts';
import { decodeCursor, encodeCursor } from '#shared/db/paging/cursor.ts';
import { randomLetters } from '../../support/database.ts';

/** Adds entries to a list; the index orders them by `order`. */
const addEntries = (list: string, orders: readonly number[]) =>
  transact(
    orders.map((order) => {
      const sk = String(order).padStart(6, '0');
      return { Put: { Item: { pk: `${list}#${sk}`, sk: 'entry', gsi3pk: list, gsi3sk: sk, order } } };
    }),
  );

async function readPage(list: string, limit: number, cursor?: string) {
  const { items, last } = await queryPage({
    IndexName: 'gsi3',
    KeyConditionExpression: 'gsi3pk = :list',
    ExpressionAttributeValues: { ':list': list },
    ScanIndexForward: false,
    Limit: limit,
    ExclusiveStartKey: decodeCursor(cursor, list),
  });
  return { orders: items.map((item) => Number(item.order)), next: encodeCursor(last, list) };
}

/** Reads all pages, newest first; `between` runs after each. */
async function readAll(list: string, limit: number, between: (page: number) => Promise<void>) {
  const orders: number[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const { orders: found, next } = await readPage(list, limit, cursor);
    expect(found.length).toBeLessThanOrEqual(limit);
    orders.push(...found);
    if (next === null) return orders;
    cursor = next;
    await between(page);
  }
}

/** Pages of an index, by opaque cursors. */
export function describeCursors(): void {
  describe('cursors', () => {
    test('neither lose nor repeat an entry while others are added before and after', async () => {
      const sizes = fc.record({
        size: fc.integer({ min: 1, max: 40 }),
        limit: fc.integer({ min: 1, max: 9 }),
      });

      await fc.assert(
        fc.asyncProperty(sizes, async ({ size, limit }) => {
          const list = `LIST#${randomLetters()}`;
          const orders = Array.from({ length: size }, (_, index) => 1_000 + index * 2);
          await addEntries(list, orders);

          const found = await readAll(list, limit, async (page) => {
            await addEntries(list, [9_000 + page, page, 1_001 + ((page * 6) % (size * 2))]);
          });

          expect(new Set(found).size).toBe(found.length);
          expect(found).toEqual([...found].sort((a, b) => b - a));
          expect(found.filter((order) => orders.includes(order))).toEqual([...orders].reverse());
        }),
        { numRuns: 6 },
      );
    });

    test('continue after the last entry of a page was removed', async () => {
      const list = `LIST#${randomLetters()}`;
      await addEntries(list, [1, 2, 3, 4]);

      const first = await readPage(list, 2);
      await transact([{ Delete: { Key: { pk: `${list}#000003`, sk: 'entry' } } }]);
      const second = await readPage(list, 2, first.next ?? undefined);

      expect([...first.orders, 0, ...second.orders]).toEqual([4, 3, 0, 2, 1]);
    });

    test('are null if the list ended before the limit', async () => {
      const list = `LIST#${randomLetters()}`;
      await addEntries(list, [1, 2]);

      expect(await readPage(list, 3)).toEqual({ orders: [2, 1], next: null });
      expect(await readPage(`LIST#${randomLetters()}`, 3)).toEqual({ orders: [], next: null });
    });
  });
}
