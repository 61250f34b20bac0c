import { describe, expect, test } from '@jest/globals';
import { addDictItem, deleteDictItem, editDictItem, getDictItem, listDictItems } from '#shared/dict/items.ts';
import { outcomesOf, randomLetters, tally } from '../../support/database.ts';
import { awkwardValues, createType, createTypeWith, newItem, readStored } from './dictionary-fixture.ts';

/** Items of the dictionary. */
export function describeDictionaryItems(): void {
  describe('dictionary items', () => {
    test('begin at version 1, enabled, and are read as they were answered', async () => {
      const type_key = await createType();

      const item = await addDictItem({ type_key, value: '1', name: '男' });

      const defaults = { sort: 0, status: 'enabled', remark: '', version: 1, updated_at: item.created_at };
      expect(item).toEqual({ type_key, value: '1', name: '男', created_at: item.created_at, ...defaults });
      expect(await getDictItem(type_key, '1')).toEqual(item);
      expect(await readStored(type_key)).toEqual({ values: ['1'], item_count: 1 });
    });

    test('begin with the defaults for undefined fields', async () => {
      const input = newItem(await createType(), 'a');

      const item = await addDictItem({ ...input, sort: undefined, status: undefined, remark: undefined });

      expect(item).toMatchObject({ ...input, sort: 0, status: 'enabled', remark: '' });
      expect(await getDictItem(input.type_key, 'a')).toEqual(item);
    });

    test('keep their exact values, each different from all others', async () => {
      const typeKey = await createTypeWith(awkwardValues);

      const found = await Promise.all(awkwardValues.map((value) => getDictItem(typeKey, value)));

      expect(found.map(({ value, name }) => [value, name])).toEqual(
        awkwardValues.map((value) => [value, value]),
      );
      const values = [...awkwardValues].sort();
      expect(await readStored(typeKey)).toEqual({ values, item_count: values.length });
    });

    test('are added once for each value by concurrent attempts', async () => {
      const typeKey = await createType();

      const outcomes = await outcomesOf(Array.from({ length: 8 }, () => addDictItem(newItem(typeKey, 'a'))));

      expect(tally(outcomes)).toEqual({ done: 1, 'dict.value_exists': 7 });
      expect(await readStored(typeKey)).toEqual({ values: ['a'], item_count: 1 });
    });

    test('are not added to a type that does not exist', async () => {
      const typeKey = randomLetters();

      await expect(addDictItem(newItem(typeKey, 'a'))).rejects.toMatchObject({ code: 'dict.type_not_found' });

      expect(await listDictItems(typeKey)).toEqual([]);
    });

    test('keep fields that an edit omits', async () => {
      const typeKey = await createTypeWith(['a']);
      const old = await getDictItem(typeKey, 'a');

      const edited = await editDictItem(typeKey, 'a', 1, { name: '新', sort: 5, status: undefined });

      expect(edited).toEqual({ ...old, name: '新', sort: 5, version: 2, updated_at: edited.updated_at });
      expect(await getDictItem(typeKey, 'a')).toEqual(edited);
    });

    test('accept one of two edits with the same version, and refuse the other', async () => {
      const typeKey = await createTypeWith(['a']);

      const outcomes = await outcomesOf([
        editDictItem(typeKey, 'a', 1, { name: 'first' }),
        editDictItem(typeKey, 'a', 1, { remark: 'second' }),
      ]);

      const { name, remark, version } = await getDictItem(typeKey, 'a');
      expect([...outcomes].sort()).toEqual(['done', 'version_conflict']);
      expect([name, remark, version]).toEqual(outcomes[0] === 'done' ? ['first', '', 2] : ['a', 'second', 2]);
    });

    test('refuse an old version, and a future one', async () => {
      const typeKey = await createTypeWith(['a']);
      await editDictItem(typeKey, 'a', 1, { name: 'b' });

      const outcomes = await outcomesOf([1, 3].map((version) => editDictItem(typeKey, 'a', version, {})));

      expect(outcomes).toEqual(['version_conflict', 'version_conflict']);
    });

    test('that do not exist cannot be read, edited or deleted, and an edit does not create them', async () => {
      const typeKey = await createTypeWith(['a']);

      const outcomes = await outcomesOf([
        getDictItem(typeKey, 'b'),
        editDictItem(typeKey, 'b', 1, { name: 'x' }),
        deleteDictItem(typeKey, 'b', false),
        deleteDictItem(typeKey, 'b', true),
        deleteDictItem(randomLetters(), 'b', false),
      ]);

      expect(outcomes).toEqual(Array(5).fill('dict.item_not_found'));
      expect(await readStored(typeKey)).toEqual({ values: ['a'], item_count: 1 });
    });

    test('are deleted once by concurrent attempts', async () => {
      const typeKey = await createTypeWith(['a', 'b']);

      const outcomes = await outcomesOf(Array.from({ length: 6 }, () => deleteDictItem(typeKey, 'a', false)));

      expect(tally(outcomes)).toEqual({ done: 1, 'dict.item_not_found': 5 });
      expect(await readStored(typeKey)).toEqual({ values: ['b'], item_count: 1 });
    });
  });
}
