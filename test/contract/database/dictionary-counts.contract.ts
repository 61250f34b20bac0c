import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { importDictItems } from '#shared/dict/import.ts';
import { addDictItem, changeDictValue, deleteDictItem, getDictItem } from '#shared/dict/items.ts';
import { outcomesOf } from '../../support/database.ts';
import { createType, newItem, readStored } from './dictionary-fixture.ts';

// Few values, so that the writes conflict.
const value = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const values = fc.uniqueArray(value, { maxLength: 6 });
const write = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), value }),
  fc.record({ kind: fc.constant('delete' as const), value }),
  fc.record({ kind: fc.constant('rename' as const), value, to: value }),
  fc.record({ kind: fc.constantFrom('merge' as const, 'replace' as const), values }),
);
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

async function run(typeKey: string, step: Write): Promise<unknown> {
  switch (step.kind) {
    case 'add':
      return addDictItem(newItem(typeKey, step.value));
    case 'delete':
      return deleteDictItem(typeKey, step.value, false);
    case 'rename': {
      const { version } = await getDictItem(typeKey, step.value);
      // A value is never changed into itself: the route turns that into an edit.
      const new_value = step.to === step.value ? `${step.to}-2` : step.to;
      return changeDictValue(typeKey, step.value, version, { new_value, force: false });
    }
    default: {
      const items = step.values.map((name) => ({ value: name, name }));
      return importDictItems(typeKey, items, step.kind);
    }
  }
}

const others = ['dict.value_exists', 'dict.item_not_found', 'version_conflict', 'dict.import_running'];
const expected = ['done', ...others];

/** The number of items that a type keeps. */
export function describeDictionaryCounts(): void {
  test('the item count of a type is the number of its items after any concurrent writes', async () => {
    const rounds = fc.array(fc.array(write, { minLength: 2, maxLength: 6 }), { minLength: 3, maxLength: 5 });

    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        const typeKey = await createType();
        for (const round of all) {
          const outcomes = await outcomesOf(round.map((step) => run(typeKey, step)));

          const { values: stored, item_count } = await readStored(typeKey);
          expect(expected).toEqual(expect.arrayContaining(outcomes));
          expect(item_count).toBe(stored.length);
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });
}
