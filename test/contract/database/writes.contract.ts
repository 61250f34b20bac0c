import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { getItem, holds, type Item, transact } from '#shared/db/items.ts';
import { type Change, changeItem, checkItem, putItem, putNew, removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { randomLetters } from '../../support/database.ts';

const newKey = () => ({ pk: `TEST#${randomLetters()}`, sk: 'a' });
const names = ['count', 'status', 'size'];
const numbers = fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 0, max: 3 }));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const expected = fc.dictionary(fc.constantFrom(...names), maybe(fc.integer({ min: 0, max: 3 })));
const conditions = fc.record({ expect: maybe(expected), atMost: maybe(numbers), atLeast: maybe(numbers) });

/** The documentation of `Conditions` as plain code. */
function passes(item: Item | undefined, { expect: wanted, atMost, atLeast }: Change): boolean {
  const all = (given: object | undefined, test: (value: unknown, limit: unknown) => boolean) =>
    Object.entries(given ?? {}).every(([name, limit]) => test(item?.[name], limit));
  return (
    (wanted === undefined || item !== undefined) &&
    all(wanted, (value, limit) => value === limit) &&
    all(atMost, (value, limit) => value === undefined || Number(value) <= Number(limit)) &&
    all(atLeast, (value, limit) => value !== undefined && Number(value) >= Number(limit))
  );
}

function apply(item: Item, { set, add, remove }: Change): Item {
  const after = { ...item };
  for (const [name, value] of Object.entries(set ?? {})) if (value !== undefined) after[name] = value;
  for (const [name, by] of Object.entries(add ?? {})) after[name] = Number(after[name] ?? 0) + by;
  for (const name of remove ?? []) delete after[name];
  return after;
}

/** The writes that operations use. */
export function describeWrites(): void {
  describe('writes', () => {
    test('check conditions as documented, for any stored attributes', async () => {
      await fc.assert(
        fc.asyncProperty(maybe(numbers), conditions, async (attributes, wanted) => {
          const key = newKey();
          const item = attributes && { ...key, ...attributes };
          if (item) await transact([putNew(item)]);

          const outcome = await holds(transact([changeItem(key, { add: { seen: 1 }, ...wanted })]));

          expect(outcome).toBe(passes(item, wanted));
          expect(await getItem(key)).toEqual(outcome ? { ...key, ...attributes, seen: 1 } : item);
        }),
        { numRuns: 60, examples: [[undefined, { expect: {}, atMost: undefined, atLeast: undefined }]] },
      );
    });

    test.each<[string, Change, boolean]>([
      ['at most what it is', { atMost: { count: 2 } }, true],
      ['at most less', { atMost: { count: 1 } }, false],
      ['at least what it is', { atLeast: { count: 2 } }, true],
      ['at least more', { atLeast: { count: 3 } }, false],
      ['at most, for an attribute that does not exist', { atMost: { other: 0 } }, true],
      ['at least, for an attribute that does not exist', { atLeast: { other: 0 } }, false],
    ])('bound a number: %s', async (_, bound, passed) => {
      const key = newKey();
      await transact([putNew({ ...key, count: 2 })]);

      expect(await holds(transact([changeItem(key, { set: { seen: 1 }, ...bound })]))).toBe(passed);
    });

    test('check and remove by the same conditions', async () => {
      await fc.assert(
        fc.asyncProperty(numbers, expected, async (attributes, wanted) => {
          const key = newKey();
          const item = { ...key, ...attributes };
          await transact([putNew(item)]);

          const isChecked = await holds(transact([checkItem(key, { expect: wanted })]));
          const isRemoved = await holds(transact([removeItem(key, { expect: wanted })]));

          expect([isChecked, isRemoved]).toEqual([
            passes(item, { expect: wanted }),
            passes(item, { expect: wanted }),
          ]);
          expect(await getItem(key)).toEqual(isRemoved ? undefined : item);
        }),
        { numRuns: 20 },
      );
    });

    test('set, add and remove attributes, and keep the others', async () => {
      const split = fc
        .tuple(numbers, fc.array(fc.constantFrom('set', 'add', 'remove'), { minLength: 3, maxLength: 3 }))
        .filter(([, kinds]) => kinds.length === names.length);
      await fc.assert(
        fc.asyncProperty(split, async ([attributes, kinds]) => {
          const key = newKey();
          const item = { ...key, ...attributes, other: 'kept' };
          await transact([putItem(item)]);
          const of = (kind: string) => names.filter((_, index) => kinds[index] === kind);
          const change: Change = {
            set: { ...Object.fromEntries(of('set').map((name) => [name, 9])), other: undefined },
            add: Object.fromEntries(of('add').map((name) => [name, 2])),
            remove: of('remove'),
          };

          await transact([changeItem(key, change)]);

          expect(await getItem(key)).toEqual(apply(item, change));
        }),
        { numRuns: 20 },
      );
    });

    test('are refused with the error of the first that fails and has one', async () => {
      const [there, gone] = [newKey(), newKey()];
      await transact([putNew(there)]);
      const says = (cause: string) => () => new AppError('version_conflict', { cause });
      const refused = (...writes: Parameters<typeof transact>[0]) =>
        transact([putNew(newKey(), says('never')), ...writes]);

      await expect(
        refused(checkItem(gone, { expect: {} }), putNew(there, says('second')), removeItem(newKey())),
      ).rejects.toMatchObject({ code: 'version_conflict', cause: 'second' });
      await expect(refused(putNew(there))).rejects.toMatchObject({ name: 'ConditionError', failed: [1] });
      await expect(
        refused(
          putNew(
            there,
            async (cause) => new AppError('version_conflict', { cause, data: await getItem(there) }),
          ),
        ),
      ).rejects.toMatchObject({ data: there, cause: { failed: [1] } });
    });
  });
}
