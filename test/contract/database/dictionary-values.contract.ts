import { describe, expect, test } from '@jest/globals';
import { getItem, transact } from '#shared/db/items.ts';
import { importDictItems } from '#shared/dict/import.ts';
import {
  changeDictValue,
  deleteDictItem,
  editDictItem,
  getDictItem,
  type ValueChange,
} from '#shared/dict/items.ts';
import { addUsage, listUsages, removeUsage } from '#shared/dict/usage.ts';
import { outcomesOf, randomLetters } from '../../support/database.ts';
import { awkwardValues, createTypeWith, readStored } from './dictionary-fixture.ts';

const to = (new_value: string, more: Partial<ValueChange> = {}): ValueChange => ({
  new_value,
  force: false,
  ...more,
});

/** Stores a record of a module that refers to a value. */
const refer = (typeKey: string, value: string, module: string) =>
  transact([
    { Put: { Item: { pk: `RECORD#${randomLetters()}`, sk: 'record' } } },
    ...addUsage(typeKey, value, module),
  ]);

const inUse = (counts: Record<string, number>) => ({
  code: 'dict.value_in_use',
  status: 409,
  errors: Object.entries(counts).map(([path, count]) => ({ path, message: String(count) })),
});

/** Changes of an item's value, and the references that prevent them. */
export function describeDictionaryValues(): void {
  describe('a changed value', () => {
    test('keeps the item and its creation, and raises its version', async () => {
      const typeKey = await createTypeWith(['a']);
      const old = await editDictItem(typeKey, 'a', 1, { sort: 3, remark: '备注' });

      const changed = await changeDictValue(typeKey, 'a', 2, to('b', { name: '新', sort: undefined }));

      const { updated_at } = changed;
      expect(changed).toEqual({ ...old, value: 'b', name: '新', version: 3, updated_at });
      expect(await getDictItem(typeKey, 'b')).toEqual(changed);
      expect(await readStored(typeKey)).toEqual({ values: ['b'], item_count: 1 });
    });

    test('is refused if it is taken, if the version is stale, and if the item does not exist', async () => {
      const typeKey = await createTypeWith(['a', 'b']);

      const outcomes = await outcomesOf([
        changeDictValue(typeKey, 'a', 1, to('b')),
        changeDictValue(typeKey, 'a', 1, to('b', { force: true })),
        changeDictValue(typeKey, 'a', 2, to('c')),
        changeDictValue(typeKey, 'x', 1, to('c')),
      ]);

      const exists = 'dict.value_exists';
      expect(outcomes).toEqual([exists, exists, 'version_conflict', 'dict.item_not_found']);
      expect(await readStored(typeKey)).toEqual({ values: ['a', 'b'], item_count: 2 });
    });

    test('is given to one of two items that request it', async () => {
      const typeKey = await createTypeWith(['a', 'b']);

      const outcomes = await outcomesOf(
        ['a', 'b'].map((value) => changeDictValue(typeKey, value, 1, to('c'))),
      );

      expect([...outcomes].sort()).toEqual(['dict.value_exists', 'done']);
      expect(await readStored(typeKey)).toMatchObject({ item_count: 2 });
    });

    test('is accepted from one of two changes with the same version', async () => {
      const typeKey = await createTypeWith(['a']);

      const outcomes = await outcomesOf([
        changeDictValue(typeKey, 'a', 1, to('b')),
        changeDictValue(typeKey, 'a', 1, to('c')),
      ]);

      const { values } = await readStored(typeKey);
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      expect(values).toEqual(outcomes[0] === 'done' ? ['b'] : ['c']);
    });
  });

  describe('references', () => {
    test('are counted by module, and refuse deletion and change with their counts', async () => {
      const typeKey = await createTypeWith(['a', 'b']);
      for (const module of ['article', 'user-center', 'article']) await refer(typeKey, 'a', module);

      const refusal = inUse({ article: 2, 'user-center': 1 });
      await expect(deleteDictItem(typeKey, 'a', false)).rejects.toMatchObject(refusal);
      await expect(changeDictValue(typeKey, 'a', 1, to('c'))).rejects.toMatchObject(refusal);
      await expect(importDictItems(typeKey, [], 'replace')).rejects.toMatchObject(refusal);

      expect(await listUsages(typeKey, 'a')).toEqual(refusal.errors);
      expect(await readStored(typeKey)).toEqual({ values: ['a', 'b'], item_count: 2 });
    });

    test('let other changes of the item pass', async () => {
      const typeKey = await createTypeWith(['a']);
      await refer(typeKey, 'a', 'article');

      const edited = await editDictItem(typeKey, 'a', 1, { name: 'new', status: 'disabled' });
      const result = await importDictItems(typeKey, [{ value: 'a', name: 'newer' }], 'replace');

      expect(edited).toMatchObject({ version: 2 });
      expect(result).toEqual({ added: 0, changed: 1, removed: 0 });
    });

    test('yield to force', async () => {
      const typeKey = await createTypeWith(['a', 'b']);
      await refer(typeKey, 'a', 'article');
      await refer(typeKey, 'b', 'article');

      await deleteDictItem(typeKey, 'a', true);
      await changeDictValue(typeKey, 'b', 1, to('c', { force: true }));

      expect(await readStored(typeKey)).toEqual({ values: ['c'], item_count: 1 });
    });

    test('to a value that was deleted by force do not restore it', async () => {
      const typeKey = await createTypeWith(['a', 'b']);
      await refer(typeKey, 'a', 'article');
      await deleteDictItem(typeKey, 'a', true);

      const outcomes = await outcomesOf([
        deleteDictItem(typeKey, 'a', false),
        deleteDictItem(typeKey, 'a', true),
        changeDictValue(typeKey, 'a', 1, to('c')),
        editDictItem(typeKey, 'a', 1, { name: 'new' }),
      ]);

      expect(outcomes).toEqual(Array(4).fill('dict.item_not_found'));
      expect(await readStored(typeKey)).toEqual({ values: ['b'], item_count: 1 });
    });

    test('free the value when the last of them is gone', async () => {
      const typeKey = await createTypeWith(['a']);
      await refer(typeKey, 'a', 'article');
      await refer(typeKey, 'a', 'user-center');

      await transact(removeUsage(typeKey, 'a', 'article'));
      await expect(deleteDictItem(typeKey, 'a', false)).rejects.toMatchObject(inUse({ 'user-center': 1 }));
      await transact(removeUsage(typeKey, 'a', 'user-center'));
      await deleteDictItem(typeKey, 'a', false);

      expect(await listUsages(typeKey, 'a')).toEqual([]);
      expect(await readStored(typeKey)).toEqual({ values: [], item_count: 0 });
    });

    test('to a value that does not exist are refused with the record they belong to', async () => {
      const typeKey = await createTypeWith(['a']);
      const key = { pk: `RECORD#${randomLetters()}`, sk: 'record' };

      const writing = transact([{ Put: { Item: key } }, ...addUsage(typeKey, 'b', 'article')]);

      await expect(writing).rejects.toMatchObject({ name: 'ConditionError', failed: [1] });
      expect(await getItem(key)).toBeUndefined();
      expect(await listUsages(typeKey, 'b')).toEqual([]);
    });

    test('that begin while the value is deleted leave either the value or no reference', async () => {
      for (let round = 0; round < 8; round += 1) {
        const typeKey = await createTypeWith(['a']);

        const [referred, deleted] = await outcomesOf([
          refer(typeKey, 'a', 'article'),
          deleteDictItem(typeKey, 'a', false),
        ]);

        const usages = await listUsages(typeKey, 'a');
        const isReferred = referred === 'done';
        expect([referred, deleted]).toEqual(
          isReferred ? ['done', 'dict.value_in_use'] : ['ConditionError', 'done'],
        );
        expect(usages).toHaveLength(isReferred ? 1 : 0);
      }
    });

    test('are counted separately for similar values', async () => {
      const typeKey = await createTypeWith(awkwardValues);
      await refer(typeKey, '#', 'article');

      const refused = await outcomesOf(awkwardValues.map((value) => deleteDictItem(typeKey, value, false)));

      expect(refused.filter((outcome) => outcome === 'done')).toHaveLength(awkwardValues.length - 1);
      expect(await readStored(typeKey)).toEqual({ values: ['#'], item_count: 1 });
    });
  });
}
