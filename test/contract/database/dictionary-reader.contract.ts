import { describe, expect, test } from '@jest/globals';
import { dictEntries } from '#shared/dict/cache.ts';
import { importDictItems } from '#shared/dict/import.ts';
import { addDictItem, changeDictValue, deleteDictItem, editDictItem } from '#shared/dict/items.ts';
import { dict } from '#shared/dict/reader.ts';
import { addDictType, deleteDictType, editDictType } from '#shared/dict/types.ts';
import { randomLetters } from '../../support/database.ts';
import { changeDirectly } from '../../support/direct-writes.ts';
import { keys } from '../../support/keys.ts';
import { awkwardValues, createTypeWith, newItem } from './dictionary-fixture.ts';

const option = (value: string, name = value) => ({ name, value });

/** Reads twice: a fill is sent with the next request. */
async function warm(typeKey: string): Promise<void> {
  await dict.get(typeKey);
  await dict.get(typeKey);
}

/** Changes a name without invalidating the cache. */
const renameUnseen = (typeKey: string, value: string, name: string) =>
  changeDirectly(keys.dictItem(typeKey, value), { name });

/** The reader of business code. */
export function describeDictionaryReader(): void {
  describe('dictionary reader', () => {
    test('has three shapes: one type, several types, and a map', async () => {
      const [one, two] = [await createTypeWith(['1', '2']), await createTypeWith(['x'])];

      expect(await dict.get(one)).toEqual({ [one]: [option('1'), option('2')] });
      const both = { [one]: [option('1'), option('2')], [two]: [option('x')] };
      expect(await dict.get(`${one}, ${two}`)).toEqual(both);
      expect(await dict.get([two, one, two])).toEqual(await dict.get(`${one},${two}`));
      expect(await dict.map(one)).toEqual({ 1: '1', 2: '2' });
    });

    test('ignores empty entries between commas', async () => {
      const [one, two] = [await createTypeWith(['1']), await createTypeWith(['x'])];
      const both = { [one]: [option('1')], [two]: [option('x')] };

      expect(await dict.get(`${one},`)).toEqual({ [one]: [option('1')] });
      expect(await dict.get(` ,${one}, ,${two},,`)).toEqual(both);
      expect([await dict.get(''), await dict.get(','), await dict.get([])]).toEqual([{}, {}, {}]);
    });

    test('orders by descending sort, then by value, and leaves disabled items out', async () => {
      const type_key = await createTypeWith(['b', 'a', '10', '9']);
      await addDictItem({ ...newItem(type_key, 'z'), sort: 1 });
      await addDictItem({ ...newItem(type_key, 'off'), sort: 2, status: 'disabled' });

      const grouped = await dict.get(type_key);

      expect(grouped[type_key]?.map(({ value }) => value)).toEqual(['z', '10', '9', 'a', 'b']);
      expect(await dict.map(type_key)).not.toHaveProperty('off');
    });

    test('keeps values exactly, from the database and from the cache, in objects that inherit nothing', async () => {
      const typeKey = await createTypeWith(awkwardValues);
      const sorted = [...awkwardValues].sort();

      for (const round of ['database', 'cache', 'cache']) {
        const map = await dict.map(typeKey);
        const grouped = await dict.get(typeKey);

        expect([round, Object.keys(map).sort()]).toEqual([round, sorted]);
        expect(sorted.map((value) => map[value])).toEqual(sorted);
        expect(grouped[typeKey]).toEqual(sorted.map((value) => option(value)));
        expect([Object.getPrototypeOf(map), Object.getPrototypeOf(grouped)]).toEqual([null, null]);
      }
    });

    test('reads from the cache until a change invalidates it', async () => {
      const typeKey = await createTypeWith(['a']);
      await warm(typeKey);
      await renameUnseen(typeKey, 'a', 'new');

      const cached = await dict.map(typeKey);
      await dictEntries.invalidate([typeKey]);

      expect([cached, await dict.map(typeKey)]).toEqual([{ a: 'a' }, { a: 'new' }]);
    });

    test('shows each write at once', async () => {
      const typeKey = randomLetters();
      const seen: Record<string, unknown> = {};
      const write = async (name: string, work: () => Promise<unknown>) => {
        await warm(typeKey);
        await work();
        seen[name] = await dict.map(typeKey);
      };

      await write('type added', () => addDictType({ type_key: typeKey, name: 't', enabled: true }));
      await write('item added', () => addDictItem(newItem(typeKey, 'a')));
      await write('item edited', () => editDictItem(typeKey, 'a', 1, { name: 'b' }));
      await write('value changed', () => changeDictValue(typeKey, 'a', 2, { new_value: 'c', force: false }));
      await write('imported', () => importDictItems(typeKey, [{ value: 'd', name: 'd' }], 'replace'));
      await write('type disabled', () => editDictType(typeKey, 1, { enabled: false }));
      await write('type enabled', () => editDictType(typeKey, 2, { enabled: true }));
      await write('item deleted', () => deleteDictItem(typeKey, 'd', false));
      await write('type deleted', () => deleteDictType(typeKey));

      expect(seen).toEqual({
        'type added': {},
        'item added': { a: 'a' },
        'item edited': { a: 'b' },
        'value changed': { c: 'b' },
        imported: { d: 'd' },
        'type disabled': {},
        'type enabled': { d: 'd' },
        'item deleted': {},
        'type deleted': {},
      });
    });

    test('shows a new type at once that was requested before it existed', async () => {
      const typeKey = randomLetters();
      await warm(typeKey);

      await addDictType({ type_key: typeKey, name: 't', enabled: true });
      await importDictItems(typeKey, [{ value: 'a', name: 'a' }], 'merge');

      expect(await dict.get(typeKey)).toEqual({ [typeKey]: [option('a')] });
    });
  });
}
