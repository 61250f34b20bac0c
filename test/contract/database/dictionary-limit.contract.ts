import { describe, expect, test } from '@jest/globals';
import { queryPage } from '#shared/db/items.ts';
import { importDictItems } from '#shared/dict/import.ts';
import { addDictItem, changeDictValue, deleteDictItem, listDictItems } from '#shared/dict/items.ts';
import { maxItemsPerType } from '#shared/dict/schema.ts';
import { outcomesOf } from '../../support/database.ts';
import { keys } from '../../support/keys.ts';
import { createType, newItem, numberedItems, readStored } from './dictionary-fixture.ts';

const half = maxItemsPerType / 2;

/** A full type. Each test continues from the state of the previous one. */
export function describeDictionaryLimit(): void {
  describe(`a type of ${maxItemsPerType} items`, () => {
    let typeKey: string;

    test('is replaced by others that do not fit beside the old ones', async () => {
      typeKey = await createType();
      const first = numberedItems('a', half);
      const more = numberedItems('b', maxItemsPerType * 0.01);
      await importDictItems(typeKey, first, 'merge');
      await importDictItems(typeKey, more, 'merge');

      const result = await importDictItems(typeKey, numberedItems('c', half), 'replace');

      const { values, item_count } = await readStored(typeKey);
      expect(result).toEqual({ added: half, changed: 0, removed: maxItemsPerType * 0.51 });
      expect(item_count).toBe(half);
      expect(values.filter((value) => value.startsWith('c'))).toHaveLength(half);
    }, 120_000);

    test('refuses one more and many more, and keeps its items', async () => {
      await importDictItems(typeKey, numberedItems('d', half), 'merge');

      const outcomes = await outcomesOf([
        addDictItem(newItem(typeKey, 'one-more')),
        importDictItems(typeKey, numberedItems('e', 1), 'merge'),
        addDictItem(newItem(typeKey, 'c0')),
      ]);
      const [many] = await outcomesOf([importDictItems(typeKey, numberedItems('e', half), 'merge')]);

      const { values, item_count } = await readStored(typeKey);
      const [full, exists] = ['dict.type_full', 'dict.value_exists'];
      expect([...outcomes, many]).toEqual([full, full, exists, full]);
      expect([item_count, new Set(values).size]).toEqual([maxItemsPerType, maxItemsPerType]);
    }, 120_000);

    test('is listed completely over several pages of the database', async () => {
      const { items, last } = await queryPage({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': keys.dictItems(typeKey) },
      });

      const listed = await listDictItems(typeKey);

      expect(items.length < maxItemsPerType).toBe(last !== undefined);
      expect(listed.map(({ value }) => value)).toEqual(
        [...numberedItems('c', half), ...numberedItems('d', half)].map(({ value }) => value).sort(),
      );
    });

    test('still changes a value, and accepts one item for each deleted one', async () => {
      await changeDictValue(typeKey, 'c0', 1, { new_value: 'changed', force: false });
      await deleteDictItem(typeKey, 'c1', false);

      const outcomes = await outcomesOf(
        Array.from({ length: 4 }, (_, index) => addDictItem(newItem(typeKey, `last-${index}`))),
      );

      expect([...outcomes].sort()).toEqual([...Array(3).fill('dict.type_full'), 'done']);
      expect(await readStored(typeKey)).toMatchObject({ item_count: maxItemsPerType });
    });
  });
}
