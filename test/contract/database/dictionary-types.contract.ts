import { describe, expect, test } from '@jest/globals';
import { addDictItem, deleteDictItem, listDictItems } from '#shared/dict/items.ts';
import { addDictType, deleteDictType, editDictType, getDictType } from '#shared/dict/types.ts';
import { outcomesOf, randomLetters } from '../../support/database.ts';
import { createType, createTypeWith, newItem } from './dictionary-fixture.ts';

/** Types of the dictionary. */
export function describeDictionaryTypes(): void {
  describe('dictionary types', () => {
    test('begin with the defaults for undefined fields', async () => {
      const input = { type_key: randomLetters(), name: 't', enabled: true };

      const type = await addDictType({ ...input, public: undefined, remark: undefined });

      expect(type).toMatchObject({ ...input, public: false, remark: '' });
      expect(await getDictType(input.type_key)).toEqual(type);
    });

    test('are added once by concurrent attempts', async () => {
      const type_key = randomLetters();
      const names = ['a', 'b', 'c', 'd', 'e'];

      const outcomes = await outcomesOf(names.map((name) => addDictType({ type_key, name, enabled: true })));

      const winner = names[outcomes.indexOf('done')];
      expect(outcomes.filter((outcome) => outcome === 'dict.type_exists')).toHaveLength(4);
      expect(await getDictType(type_key)).toMatchObject({ name: winner, version: 1 });
    });

    test('keep fields that an edit omits', async () => {
      const type_key = await createType({ public: true, remark: '备注' });
      const old = await getDictType(type_key);

      const edited = await editDictType(type_key, 1, { name: '新', enabled: false, remark: undefined });

      const change = { name: '新', enabled: false, version: 2, updated_at: expect.any(String) };
      expect(edited).toEqual({ ...old, ...change });
      expect(edited.updated_at >= old.updated_at).toBe(true);
      expect(await getDictType(type_key)).toEqual(edited);
    });

    test('accept one of two edits with the same version, and refuse the other', async () => {
      const typeKey = await createType();

      const outcomes = await outcomesOf([
        editDictType(typeKey, 1, { name: 'first' }),
        editDictType(typeKey, 1, { remark: 'second' }),
      ]);

      const stored = await getDictType(typeKey);
      expect([...outcomes].sort()).toEqual(['done', 'version_conflict']);
      expect(stored.version).toBe(2);
      expect([stored.name, stored.remark]).toEqual(
        outcomes[0] === 'done' ? ['first', ''] : ['类型', 'second'],
      );
    });

    test('refuse an old version, and a future one', async () => {
      const typeKey = await createType();
      await editDictType(typeKey, 1, { name: 'b' });

      const outcomes = await outcomesOf([1, 3].map((version) => editDictType(typeKey, version, {})));

      expect(outcomes).toEqual(['version_conflict', 'version_conflict']);
      expect(await getDictType(typeKey)).toMatchObject({ name: 'b', version: 2 });
    });

    test('keep their version when items are added or deleted', async () => {
      const typeKey = await createTypeWith(['a', 'b']);
      await deleteDictItem(typeKey, 'a', false);

      expect(await editDictType(typeKey, 1, { name: 'new' })).toMatchObject({ version: 2, item_count: 1 });
    });

    test('that do not exist cannot be read, edited or deleted, and an edit does not create them', async () => {
      const typeKey = randomLetters();

      const outcomes = await outcomesOf([
        getDictType(typeKey),
        editDictType(typeKey, 1, { name: 'x' }),
        deleteDictType(typeKey),
      ]);

      expect(outcomes).toEqual(Array(3).fill('dict.type_not_found'));
      await expect(getDictType(typeKey)).rejects.toMatchObject({ code: 'dict.type_not_found' });
    });

    test('are never deleted while an item is added', async () => {
      for (let round = 0; round < 10; round += 1) {
        const typeKey = await createType();
        const add = () => addDictItem(newItem(typeKey, 'a'));
        const remove = () => deleteDictType(typeKey);
        const order = round % 2 ? [add, remove] : [remove, add];

        const outcomes = await outcomesOf(order.map((write) => write()));

        const items = await listDictItems(typeKey);
        const [added, removed] = round % 2 ? outcomes : [...outcomes].reverse();
        const isAdded = added === 'done';
        expect([added, removed]).toEqual(
          isAdded ? ['done', 'dict.type_not_empty'] : ['dict.type_not_found', 'done'],
        );
        expect(items).toHaveLength(isAdded ? 1 : 0);
      }
    });
  });
}
