import { describe, expect, test } from '@jest/globals';
import { transact, updateItem } from '#shared/db/items.ts';
import { type ImportItem, importDictItems } from '#shared/dict/import.ts';
import { addDictItem, editDictItem, getDictItem, listDictItems } from '#shared/dict/items.ts';
import { addUsage } from '#shared/dict/usage.ts';
import { outcomesOf, randomLetters } from '../../support/database.ts';
import { keys, setAttributes } from '../../support/keys.ts';
import {
  awkwardValues,
  createType,
  createTypeWith,
  newItem,
  numberedItems,
  readStored,
} from './dictionary-fixture.ts';
import { type Fate, throughProxy } from './engine-proxy.ts';

const nothing = { added: 0, changed: 0, removed: 0 };

/** Runs an import whose connection breaks after some transactions; returns the error. */
async function importUntilCut(typeKey: string, items: ImportItem[], transactions: number): Promise<unknown> {
  let seen = 0;
  let failure: unknown;
  await throughProxy(
    (operation) => {
      if (operation === 'TransactWriteItems') seen += 1;
      return seen > transactions ? 'cut' : 'pass';
    },
    async () => {
      const dictionary = await import('#shared/dict/import.ts');
      failure = await dictionary.importDictItems(typeKey, items, 'merge').catch((error) => error);
    },
  );
  return failure;
}

/** Merges items, with `meanwhile` before each transaction; returns the outcome. */
async function importMeanwhile(
  typeKey: string,
  items: ImportItem[],
  meanwhile: (transactions: number) => Promise<void>,
): Promise<string | undefined> {
  let seen = 0;
  let outcome: string | undefined;
  await throughProxy(
    async (operation): Promise<Fate> => {
      if (operation === 'TransactWriteItems') {
        seen += 1;
        await meanwhile(seen);
      }
      return 'pass';
    },
    async () => {
      const dictionary = await import('#shared/dict/import.ts');
      [outcome] = await outcomesOf([dictionary.importDictItems(typeKey, items, 'merge')]);
    },
  );
  return outcome;
}

const changeLock = (typeKey: string, name: string, value: unknown) =>
  updateItem({ Key: { ...keys.dictImport(typeKey) }, ...setAttributes({ [name]: value }) });

/** Imports of lists of items. */
export function describeDictionaryImport(): void {
  describe('dictionary import', () => {
    test('merges: adds, changes what differs, and leaves the rest', async () => {
      const typeKey = await createTypeWith(['same', 'renamed', 'unlisted']);
      const before = await listDictItems(typeKey);

      const list = [
        { value: 'same', name: 'same' },
        { value: 'renamed', name: '新' },
        { value: 'added', name: '加', sort: 7, status: 'disabled' as const },
      ];
      expect(await importDictItems(typeKey, list, 'merge')).toEqual({ added: 1, changed: 1, removed: 0 });
      expect(await readStored(typeKey)).toMatchObject({ item_count: 4 });
      const untouched = before.filter(({ value }) => value !== 'renamed');
      expect(await listDictItems(typeKey)).toEqual(expect.arrayContaining(untouched));
      expect(await getDictItem(typeKey, 'renamed')).toMatchObject({ name: '新', version: 2 });
      expect(await getDictItem(typeKey, 'added')).toMatchObject({ sort: 7, status: 'disabled', version: 1 });
    });

    test('keeps fields that a list omits: sort, status, remark and creation', async () => {
      const typeKey = await createType();
      const item = { ...newItem(typeKey, 'a'), sort: 9, status: 'disabled' as const, remark: '备注' };
      const old = await addDictItem(item);

      const list = [{ value: 'a', name: '新', sort: undefined }];
      const merge = () => importDictItems(typeKey, list, 'merge');
      const results = [await merge(), await merge()];

      const stored = await getDictItem(typeKey, 'a');
      expect(results).toEqual([{ ...nothing, changed: 1 }, nothing]);
      expect(stored).toEqual({ ...old, name: '新', version: 2, updated_at: stored.updated_at });
    });

    test('gives a new item the default sort and status if a list omits them', async () => {
      const typeKey = await createType();
      const list = [{ value: 'a', name: 'a', sort: undefined, status: undefined }];

      const run = (mode: 'merge' | 'replace') => importDictItems(typeKey, list, mode);
      const results = [await run('merge'), await run('replace')];

      expect(results).toEqual([{ ...nothing, added: 1 }, nothing]);
      expect(await getDictItem(typeKey, 'a')).toMatchObject({ sort: 0, status: 'enabled', remark: '' });
    });

    test('keeps values exactly', async () => {
      const typeKey = await createType();
      const list = awkwardValues.map((value) => ({ value, name: value }));

      const result = await importDictItems(typeKey, list, 'replace');

      expect(result).toEqual({ ...nothing, added: awkwardValues.length });
      expect((await listDictItems(typeKey)).map(({ value, name }) => [value, name])).toEqual(
        [...awkwardValues].sort().map((value) => [value, value]),
      );
      expect(await importDictItems(typeKey, list, 'replace')).toEqual(nothing);
    });

    test('empties a type with an empty list, and merges nothing with one', async () => {
      const typeKey = await createTypeWith(['a', 'b']);

      expect(await importDictItems(typeKey, [], 'merge')).toEqual(nothing);
      expect(await importDictItems(typeKey, [], 'replace')).toEqual({ ...nothing, removed: 2 });

      expect(await readStored(typeKey)).toEqual({ values: [], item_count: 0 });
    });

    test('does not create a type', async () => {
      const typeKey = randomLetters();

      const importing = importDictItems(typeKey, numberedItems('a', 2), 'merge');

      await expect(importing).rejects.toMatchObject({ code: 'dict.type_not_found' });
      expect(await listDictItems(typeKey)).toEqual([]);
    });

    test('that is interrupted leaves complete transactions in order, and can be repeated', async () => {
      const typeKey = await createType();
      const list = numberedItems('a', 250);

      const failure = await importUntilCut(typeKey, list, 2);

      const stored = await readStored(typeKey);
      const written = list.slice(0, 192).map(({ value }) => value);
      expect(failure).toMatchObject({ code: 'database.unavailable' });
      expect(stored).toEqual({ values: [...written].sort(), item_count: 192 });

      const others = await outcomesOf([importDictItems(typeKey, list, 'replace')]);
      const result = await importDictItems(typeKey, list, 'merge');

      // The database was unavailable, so the lock stayed; the same request may still continue.
      expect(others).toEqual(['dict.import_running']);
      expect(result).toEqual({ ...nothing, added: 58 });
      expect(await readStored(typeKey)).toMatchObject({ item_count: 250 });
      expect(await importDictItems(typeKey, list, 'merge')).toEqual(nothing);
    });

    test('refuses another import of the type while one runs, so that the two never mix', async () => {
      const typeKey = await createTypeWith(['kept']);
      const [merged, replaced] = [numberedItems('a', 150), numberedItems('b', 150)];
      const others: string[] = [];

      const outcome = await importMeanwhile(typeKey, merged, async () => {
        others.push(...(await outcomesOf([importDictItems(typeKey, replaced, 'replace')])));
      });

      expect([outcome, others]).toEqual(['done', ['dict.import_running', 'dict.import_running']]);
      const values = ['kept', ...merged.map(({ value }) => value)].sort();
      expect(await readStored(typeKey)).toEqual({ values, item_count: values.length });
      const result = await importDictItems(typeKey, replaced, 'replace');
      expect(result).toEqual({ added: 150, changed: 0, removed: 151 });
    });

    test('releases the type when it is refused', async () => {
      const typeKey = await createTypeWith(['a']);
      await transact(addUsage(typeKey, 'a', 'article'));

      const outcomes = [
        ...(await outcomesOf([importDictItems(typeKey, [], 'replace')])),
        ...(await outcomesOf([importDictItems(typeKey, numberedItems('b', 1), 'merge')])),
        ...(await outcomesOf([importDictItems(typeKey, [], 'merge')])),
        ...(await outcomesOf([importDictItems(typeKey, numberedItems('c', 1), 'merge')])),
      ];

      expect(outcomes).toEqual(['dict.value_in_use', 'done', 'done', 'done']);
    });

    test('takes over one that was abandoned for a minute, which then writes no more', async () => {
      const typeKey = await createType();
      const [old, next] = [numberedItems('a', 150), numberedItems('b', 3)];
      const others: string[] = [];

      const outcome = await importMeanwhile(typeKey, old, async (transactions) => {
        if (transactions !== 2) return;
        others.push(...(await outcomesOf([importDictItems(typeKey, next, 'replace')])));
        await changeLock(typeKey, 'renewed_at', Date.now() - 61_000);
        others.push(...(await outcomesOf([importDictItems(typeKey, next, 'replace')])));
        // A third import holds the type when the abandoned one continues.
        await changeLock(typeKey, 'request', 'another');
        await changeLock(typeKey, 'renewed_at', Date.now());
      });

      expect([outcome, others]).toEqual(['dict.import_running', ['dict.import_running', 'done']]);
      expect(await readStored(typeKey)).toEqual({ values: ['b0', 'b1', 'b2'], item_count: 3 });
    });

    test('succeeds beside other writers of the same items', async () => {
      const typeKey = await createTypeWith(['a0', 'a1']);
      const list = numberedItems('a', 120);

      const outcomes = await outcomesOf([
        importDictItems(typeKey, list, 'merge'),
        importDictItems(typeKey, list, 'merge'),
        editDictItem(typeKey, 'a0', 1, { remark: 'edited' }),
        addDictItem(newItem(typeKey, 'other')),
      ]);

      expect(outcomes.slice(0, 2)).toEqual(['done', 'done']);
      expect(outcomes[2]).toMatch(/^(done|version_conflict)$/);
      expect(await readStored(typeKey)).toMatchObject({ item_count: 121 });
      expect((await listDictItems(typeKey)).filter(({ name }) => name.startsWith('名称'))).toHaveLength(120);
    });
  });
}
