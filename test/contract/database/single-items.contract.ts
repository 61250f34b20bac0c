import { describe, expect, test } from '@jest/globals';
import { ConditionError } from '#shared/db/errors.ts';
import { deleteItem, getItem, putItem, updateItem } from '#shared/db/items.ts';
import { setAttributes } from '#shared/db/update.ts';
import { randomLetters } from '../../support/database.ts';

const newKey = () => ({ pk: `TEST#${randomLetters()}`, sk: 'a' });
const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };

/** One item at a time. */
export function describeSingleItems(): void {
  describe('single items', () => {
    test('reads back to the letter what was put', async () => {
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

      await putItem({ Item: { ...key, ...attributes, absent: undefined } });

      expect(await getItem(key)).toStrictEqual({ ...key, ...attributes });
    });

    test('stores objects without a prototype, as input is made of', async () => {
      const key = newKey();
      const map = Object.assign(Object.create(null), { one: 1 });

      await putItem({ Item: { ...key, map } });

      expect(await getItem(key)).toEqual({ ...key, map: { one: 1 } });
    });

    test('answers undefined where there is no item', async () => {
      expect(await getItem(newKey())).toBeUndefined();
    });

    test('keeps keys apart that differ by case or a space', async () => {
      const { pk } = newKey();
      const sks = ['a', 'A', 'a ', ' a', '007', '7'];

      await Promise.all(sks.map((sk) => putItem({ Item: { pk, sk, own: sk }, ...isNew })));

      const items = await Promise.all(sks.map((sk) => getItem({ pk, sk })));
      expect(items.map((item) => item?.own)).toEqual(sks);
    });

    test('leaves the item as it is when the condition of a put fails', async () => {
      const key = newKey();
      await putItem({ Item: { ...key, text: 'first' } });

      const second = putItem({ Item: { ...key, text: 'second' }, ...isNew });

      await expect(second).rejects.toThrow(ConditionError);
      await expect(second).rejects.toMatchObject({ failed: [0] });
      expect(await getItem(key)).toEqual({ ...key, text: 'first' });
    });

    test('answers the item as it is after an update, other attributes included', async () => {
      const key = newKey();
      await putItem({ Item: { ...key, name: 'old', status: 'enabled', size: 1 } });

      const changed = await updateItem({ Key: key, ...setAttributes({ name: 'new', size: undefined }) });

      expect(changed).toEqual({ ...key, name: 'new', status: 'enabled', size: 1 });
      expect(await getItem(key)).toEqual(changed);
    });

    test('writes nothing when the condition of an update fails', async () => {
      const key = newKey();

      const update = updateItem({
        Key: key,
        ...setAttributes({ name: 'new' }),
        ConditionExpression: 'attribute_exists(pk)',
      });

      await expect(update).rejects.toMatchObject({ name: 'ConditionError', failed: [0] });
      expect(await getItem(key)).toBeUndefined();
    });

    test('loses none of 50 parallel updates', async () => {
      const key = newKey();
      const increment = () =>
        updateItem({
          Key: key,
          UpdateExpression: 'ADD #count :one',
          ExpressionAttributeNames: { '#count': 'count' },
          ExpressionAttributeValues: { ':one': 1 },
        });

      await Promise.all(Array.from({ length: 50 }, increment));

      expect(await getItem(key)).toMatchObject({ count: 50 });
    });

    test('deletes an item, and is content where there is none', async () => {
      const key = newKey();
      await putItem({ Item: key });

      await deleteItem(key);
      await deleteItem(key);

      expect(await getItem(key)).toBeUndefined();
    });

    test('keeps the item when the condition of a delete fails', async () => {
      const key = newKey();
      await putItem({ Item: { ...key, left: 1 } });

      const deletion = deleteItem(key, {
        ConditionExpression: 'left_over = :none',
        ExpressionAttributeValues: { ':none': 0 },
      });

      await expect(deletion).rejects.toMatchObject({ name: 'ConditionError', failed: [0] });
      expect(await getItem(key)).toEqual({ ...key, left: 1 });
    });

    test('tells an item above 400 KB as a defect of the request', async () => {
      const oversized = putItem({ Item: { ...newKey(), text: 'x'.repeat(410 * 1024) } });

      await expect(oversized).rejects.toThrow('the database refused a request');
    });
  });
}
