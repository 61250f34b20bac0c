import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { getItem, queryPartition, transact, type Write } from '#shared/db/items.ts';
import { outcomesOf, randomLetters, tally } from '../../support/database.ts';
import { type Fate, throughProxy } from './engine-proxy.ts';

/** Most writes of one transaction of DynamoDB. */
const limit = 100;
const newPk = () => `TEST#${randomLetters()}`;
const add = (pk: string, sk: string, by: number): Write => ({
  Update: {
    Key: { pk, sk },
    UpdateExpression: 'ADD amount :by',
    ExpressionAttributeValues: { ':by': by },
  },
});
const putNew = (pk: string, sk: string): Write => ({
  Put: { Item: { pk, sk }, ConditionExpression: 'attribute_not_exists(pk)' },
});

/** Writes of several items at once. */
export function describeTransactions(): void {
  describe('transactions', () => {
    test('write all, or nothing and name every condition that failed', async () => {
      const plans = fc.integer({ min: 1, max: limit }).chain((size) => {
        const indexes = [...Array(size).keys()];
        return fc.tuple(fc.constant(size), fc.subarray(indexes, { maxLength: Math.min(size, 5) }));
      });

      await fc.assert(
        fc.asyncProperty(plans, async ([size, taken]) => {
          const pk = newPk();
          if (taken.length > 0) await transact(taken.map((index) => putNew(pk, `${index}`)));

          const writing = transact(Array.from({ length: size }, (_, index) => putNew(pk, `${index}`)));

          if (taken.length > 0) {
            await expect(writing).rejects.toMatchObject({ name: 'ConditionError', failed: taken });
          } else await writing;
          expect(await queryPartition(pk)).toHaveLength(taken.length || size);
        }),
        { numRuns: 8, examples: [[[1, []]], [[limit, []]], [[limit, [0, 50, 99]]]] },
      );
    });

    test('mix puts, updates, deletions and checks', async () => {
      const pk = newPk();
      await transact([putNew(pk, 'kept'), putNew(pk, 'old')]);

      await transact([
        { ConditionCheck: { Key: { pk, sk: 'kept' }, ConditionExpression: 'attribute_exists(pk)' } },
        { Delete: { Key: { pk, sk: 'old' }, ConditionExpression: 'attribute_exists(pk)' } },
        putNew(pk, 'new'),
        add(pk, 'sum', 3),
      ]);

      const sum = { pk, sk: 'sum', amount: 3 };
      expect(await queryPartition(pk)).toEqual([{ pk, sk: 'kept' }, { pk, sk: 'new' }, sum]);
    });

    test('write nothing if a check fails', async () => {
      const pk = newPk();
      const check = { Key: { pk, sk: 'none' }, ConditionExpression: 'attribute_exists(pk)' };

      const writing = transact([putNew(pk, 'a'), { ConditionCheck: check }, add(pk, 'b', 1)]);

      await expect(writing).rejects.toMatchObject({ name: 'ConditionError', failed: [1] });
      expect(await queryPartition(pk)).toEqual([]);
    });

    test.each([
      ['more writes than one takes', (pk: string) => [...Array(101).keys()].map((sk) => putNew(pk, `${sk}`))],
      ['two writes of one item', (pk: string) => [putNew(pk, 'a'), add(pk, 'a', 1)]],
    ])('refuse %s as a defect of the request, and write nothing', async (_, writes) => {
      const pk = newPk();

      const writing = transact(writes(pk));

      await expect(writing).rejects.toThrow('the database refused a request');
      expect(await queryPartition(pk)).toEqual([]);
    });

    test('of one counter all succeed, 50 at a time, and none is lost', async () => {
      const pk = newPk();
      const writings = Array.from({ length: 50 }, (_, index) =>
        transact([add(pk, 'sum', index + 1), putNew(pk, `entry-${index}`)]),
      );

      const outcomes = await outcomesOf(writings);

      expect(tally(outcomes)).toEqual({ done: 50 });
      expect(await getItem({ pk, sk: 'sum' })).toMatchObject({ amount: 1_275 });
    });

    test('that change the same items keep the sum', async () => {
      const pk = newPk();
      const accounts = ['a', 'b', 'c', 'd'];
      await transact(accounts.map((sk) => add(pk, sk, 100)));
      const pairs = accounts.flatMap((from) =>
        accounts.filter((to) => to !== from).map((to) => [from, to] as const),
      );

      const outcomes = await outcomesOf(
        pairs.map(([from, to], index) => transact([add(pk, from, -index), add(pk, to, index)])),
      );

      const items = await queryPartition(pk);
      expect(tally(outcomes)).toEqual({ done: pairs.length });
      expect(items.reduce((sum, item) => sum + Number(item.amount), 0)).toBe(400);
    });

    test('that conflict with others are repeated until they succeed', async () => {
      const pk = newPk();
      let requests = 0;

      await throughProxy(
        () => {
          requests += 1;
          return requests < 4 ? 'conflict' : 'pass';
        },
        async () => {
          const items = await import('#shared/db/items.ts');
          await items.transact([add(pk, 'sum', 1), putNew(pk, 'entry')]);
        },
      );

      expect(requests).toBe(4);
      expect(await getItem({ pk, sk: 'sum' })).toMatchObject({ amount: 1 });
    });

    test('are not done twice if their answer is lost', async () => {
      const pk = newPk();
      let requests = 0;

      await throughProxy(
        () => {
          requests += 1;
          return requests === 1 ? 'lose' : 'pass';
        },
        async () => {
          const items = await import('#shared/db/items.ts');
          await items.transact([add(pk, 'sum', 1), putNew(pk, 'entry')]);
        },
      );

      expect(requests).toBe(2);
      expect(await getItem({ pk, sk: 'sum' })).toMatchObject({ amount: 1 });
    });

    test('are not done twice if their answer is lost and others then change their items', async () => {
      const pk = newPk();
      const fates: Fate[] = ['lose', 'conflict', 'pass'];

      await throughProxy(
        () => fates.shift() ?? 'cut',
        async () => {
          const items = await import('#shared/db/items.ts');
          await items.transact([add(pk, 'sum', 1), putNew(pk, 'entry')]);
        },
      );

      expect(fates).toEqual([]);
      expect(await getItem({ pk, sk: 'sum' })).toMatchObject({ amount: 1 });
    });

    test('that repeat each other are each done', async () => {
      const pk = newPk();

      await transact([add(pk, 'sum', 1)]);
      await transact([add(pk, 'sum', 1)]);

      expect(await getItem({ pk, sk: 'sum' })).toMatchObject({ amount: 2 });
    });
  });
}
