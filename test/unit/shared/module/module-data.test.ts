import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { getItem, transact } from '#shared/db/items.ts';
import { importDictItems, removeDictionary } from '#shared/dict/import.ts';
import { addDictItem, editDictItem, listDictItems } from '#shared/dict/items.ts';
import { dict } from '#shared/dict/reader.ts';
import { type DictSeed, restoreItems, seedDictionary } from '#shared/dict/seed.ts';
import { addUsage } from '#shared/dict/usage.ts';
import { defineConfigGroup, setting } from '#shared/settings/group.ts';
import { removeSettings } from '#shared/settings/save.ts';
import { readSettings, readStored, writeValues } from '#shared/settings/store.ts';
import { randomLetters, useDatabase } from '../../../support/database.ts';
import { keys } from '../../../support/keys.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

async function newDictionary(): Promise<DictSeed> {
  const items = ['a', 'b', 'c'].map((value) => ({ value, name: value }));
  const seed = { type_key: randomLetters(), name: 'Kinds', public: true, items };
  await seedDictionary(seed);
  return seed;
}

describe('removeDictionary', () => {
  test('removes a dictionary with the items that operators added, for readers too', async () => {
    const { type_key } = await newDictionary();
    const values = Array.from({ length: 250 }, (_, index) => ({ value: `v${index}`, name: 'v' }));
    await importDictItems(type_key, values, 'merge');
    const before = await dict.get(type_key);

    const wasThere = await removeDictionary(type_key);

    expect(before[type_key]).toHaveLength(253);
    expect(wasThere).toBe(true);
    expect(await getItem(keys.dictType(type_key))).toBeUndefined();
    expect(await listDictItems(type_key)).toEqual([]);
    expect((await dict.get(type_key))[type_key]).toEqual([]);
  });

  test('finishes an interrupted removal, and does nothing without a dictionary', async () => {
    const { type_key } = await newDictionary();
    await importDictItems(type_key, [], 'replace');

    expect([await removeDictionary(type_key), await removeDictionary(type_key)]).toEqual([true, false]);
  });

  test('removes nothing while records refer to a value', async () => {
    const { type_key } = await newDictionary();
    await transact(addUsage(type_key, 'b', 'cart'));

    await expect(removeDictionary(type_key)).rejects.toMatchObject({
      code: 'dict.value_in_use',
      errors: [{ path: 'cart', message: '1' }],
    });
    expect(await listDictItems(type_key)).toHaveLength(3);
  });
});

describe('restoreItems', () => {
  test('adds missing items and keeps the changes of operators', async () => {
    const seed = await newDictionary();
    const { type_key } = seed;
    await importDictItems(type_key, [{ value: 'b', name: 'b' }], 'replace');
    await editDictItem(type_key, 'b', 1, { name: 'other', status: 'disabled' });
    await addDictItem({ type_key, value: 'own', name: 'own' });

    expect(await restoreItems(seed)).toEqual(['a', 'c']);
    expect(await restoreItems(seed)).toEqual([]);

    const items = await listDictItems(type_key);
    expect(items.map(({ value, name, status }) => [value, name, status])).toEqual([
      ['a', 'a', 'enabled'],
      ['b', 'other', 'disabled'],
      ['c', 'c', 'enabled'],
      ['own', 'own', 'enabled'],
    ]);
  });
});

describe('removeSettings', () => {
  test('restores the defaults, for any stored values', async () => {
    const description = { zh_CN: '甲', en: 'A' };
    const text = setting({ schema: z.string(), default: 'default', description });
    const group = defineConfigGroup({ name: randomLetters(), keys: { text } });
    const former = defineConfigGroup({ name: group.name, keys: { text, gone: text } });
    await writeValues(former, { text: 'stored', gone: 'stored' });
    const before = await readSettings(group);

    const removed = [await removeSettings(group), await removeSettings(group)];

    expect(before).toEqual({ text: 'stored' });
    expect(removed).toEqual([2, 0]);
    expect(await readStored(group.name)).toEqual({});
    expect(await readSettings(group)).toEqual({ text: 'default' });
  });
});
