import { describe, expect, test } from '@jest/globals';
import { ConditionError } from '#shared/db/errors.ts';
import { deleteItem, getItem, type Item, transact, updateItem } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import { randomLetters } from '../../support/database.ts';
import { throughProxy } from './engine-proxy.ts';

const newKey = () => ({ pk: `TEST#${randomLetters()}`, sk: 'a' });
const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
const put = (item: Item, condition = {}) => transact([{ Put: { Item: item, ...condition } }]);

/** One item at a time. */
export function describeSingleItems(): void {
  describe('single items', () => {
    test('reads exactly what was put', async () => {
      const attributes = {
        text: '标题 \u{1f600} "#~ ',
        empty: '',
        number: 9_007_199_254_740_991,
        fraction: -0.125,
        yes: true,
        nothing: null,
        list: [1, 'two', [], { three: 3 }],
        map: { 'a.b': 1, empty: {} },
      };
      const key = newKey();

      await put({ ...key, ...attributes, absent: undefined });

      expect(await getItem(key)).toStrictEqual({ ...key, ...attributes });
    });

    test('stores objects without a prototype, as input is made of', async () => {
      const key = newKey();
      const map = Object.assign(Object.create(null), { one: 1 });

      await put({ ...key, map });

      expect(await getItem(key)).toEqual({ ...key, map: { one: 1 } });
    });

    test('returns undefined if not found', async () => {
      expect(await getItem(newKey())).toBeUndefined();
    });

    test('distinguishes keys by case and spaces', async () => {
      const { pk } = newKey();
      const sks = ['a', 'A', 'a ', ' a', '007', '7'];

      await Promise.all(sks.map((sk) => put({ pk, sk, own: sk }, isNew)));

      const items = await Promise.all(sks.map((sk) => getItem({ pk, sk })));
      expect(items.map((item) => item?.own)).toEqual(sks);
    });

    test('does not change the item if the condition of a put fails', async () => {
      const key = newKey();
      await put({ ...key, text: 'first' });

      const second = put({ ...key, text: 'second' }, isNew);

      await expect(second).rejects.toThrow(ConditionError);
      await expect(second).rejects.toMatchObject({ failed: [0] });
      expect(await getItem(key)).toEqual({ ...key, text: 'first' });
    });

    test('changes only what an update names', async () => {
      const key = newKey();
      await put({ ...key, name: 'old', status: 'enabled', size: 1 });

      await updateItem(changeItem(key, { set: { name: 'new', size: undefined } }).Update);

      expect(await getItem(key)).toEqual({ ...key, name: 'new', status: 'enabled', size: 1 });
    });

    test('writes nothing when the condition of an update fails', async () => {
      const key = newKey();

      const update = updateItem(changeItem(key, { set: { name: 'new' }, expect: {} }).Update);

      await expect(update).rejects.toMatchObject({ name: 'ConditionError', failed: [0] });
      expect(await getItem(key)).toBeUndefined();
    });

    test('loses none of 50 parallel updates', async () => {
      const key = newKey();
      const increment = () => updateItem(changeItem(key, { add: { count: 1 } }).Update);

      await Promise.all(Array.from({ length: 50 }, increment));

      expect(await getItem(key)).toMatchObject({ count: 50 });
    });

    test('deletes an item, and accepts that it does not exist', async () => {
      const key = newKey();
      await put(key);

      await deleteItem(key);
      await deleteItem(key);

      expect(await getItem(key)).toBeUndefined();
    });

    test('keeps the item when the condition of a delete fails', async () => {
      const key = newKey();
      await put({ ...key, left: 1 });

      const values = { ExpressionAttributeValues: { ':none': 0 } };
      const condition = { ConditionExpression: 'left_over = :none', ...values };
      const deletion = transact([{ Delete: { Key: key, ...condition } }]);

      await expect(deletion).rejects.toMatchObject({ name: 'ConditionError', failed: [0] });
      expect(await getItem(key)).toEqual({ ...key, left: 1 });
    });

    test('waits for a transaction on the item, and writes then', async () => {
      const [updated, deleted] = [newKey(), newKey()];
      await put(deleted);
      const requests: string[] = [];

      await throughProxy(
        (operation) => {
          requests.push(operation);
          return requests.filter((other) => other === operation).length < 3 ? 'conflict' : 'pass';
        },
        async () => {
          const items = await import('#shared/db/items.ts');
          await items.updateItem(changeItem(updated, { set: { name: 'new' } }).Update);
          await items.deleteItem(deleted);
        },
      );

      expect(requests).toEqual([...Array(3).fill('UpdateItem'), ...Array(3).fill('DeleteItem')]);
      expect(await getItem(updated)).toEqual({ ...updated, name: 'new' });
      expect(await getItem(deleted)).toBeUndefined();
    });

    test('stops a write after eight conflicts with transactions on the item', async () => {
      const key = newKey();
      let requests = 0;
      let failure: unknown;

      await throughProxy(
        () => {
          requests += 1;
          return 'conflict';
        },
        async () => {
          const items = await import('#shared/db/items.ts');
          const writing = items.updateItem(changeItem(key, { set: { name: 'new' } }).Update);
          failure = await writing.catch((error) => error);
        },
      );

      expect(requests).toBe(8);
      expect(failure).toMatchObject({ cause: { name: 'TransactionConflictException' } });
      expect(await getItem(key)).toBeUndefined();
    });

    test.each([
      ['above 400 KB', { text: 'x'.repeat(410 * 1024) }],
      ['that holds what is no data', { at: new Date(0) }],
      ['whose key is of another type', { sk: 1 }],
    ])('tells an item %s as a defect of the request', async (_, attributes) => {
      const key = newKey();

      const writing = put({ ...key, ...attributes });

      await expect(writing).rejects.toThrow('the database refused a request');
      expect(await getItem(key)).toBeUndefined();
    });
  });
}
