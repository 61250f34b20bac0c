import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item, queryPage, queryPartition, transact } from '#shared/db/items.ts';
import { randomLetters } from '../../support/database.ts';

// Pages end at 1 MB: there are at least three of these items.
const count = 90;
// Spread over the numbers, so that the order of writing is not the order of keys.
const sks = Array.from({ length: count }, (_, index) => String((index * 37) % count));
const text = 'x'.repeat(40_000);

/** Whole partitions. */
export function describeQueries(): void {
  describe('partitions', () => {
    const pk = `TEST#${randomLetters()}`;

    beforeAll(async () => {
      for (let at = 0; at < count; at += 45) {
        await transact(
          sks.slice(at, at + 45).map((sk) => ({ Put: { Item: { pk, sk, name: `n${sk}`, text } } })),
        );
      }
    });

    test('are read over several pages, each item once, in the order of keys', async () => {
      const firstPage = await queryPage({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      });

      const items = await queryPartition(pk);

      expect(firstPage.items.length).toBeLessThan(count / 3);
      expect(items.map((item) => item.sk)).toEqual([...sks].sort());
    });

    test('are read with the requested attributes only, reserved words too', async () => {
      const items = await queryPartition(pk, ['sk', 'name']);

      expect(items).toHaveLength(count);
      expect(items[0]).toEqual({ sk: '0', name: 'n0' });
    });

    test('are empty if the partition does not exist', async () => {
      expect(await queryPartition(`TEST#${randomLetters()}`)).toEqual([]);
    });

    test('are ordered by the bytes of their keys', async () => {
      const pk = `TEST#${randomLetters()}`;
      const ordered = [' ', ...'! " # 007 10 1e3 7 A _ __proto__ a ~ é 中'.split(' ')];
      await transact([...ordered].reverse().map((sk) => ({ Put: { Item: { pk, sk } } })));

      const items: Item[] = await queryPartition(pk);

      expect(items.map((item) => item.sk)).toEqual(ordered);
    });
  });
}
