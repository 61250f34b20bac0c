import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { getItem, type IndexPartition, transact } from '#shared/db/items.ts';
import { type CreationFilter, toCreationRange } from '#shared/db/paging/creation-range.ts';
import { type NewestQuery, readNewest } from '#shared/db/paging/newest-page.ts';
import {
  busyAfter,
  choosePartition,
  forgetSpread,
  listPartitions,
  markSpread,
  spreadCount,
} from '#shared/db/paging/spread-index.ts';
import { randomLetters } from '../../support/database.ts';
import { keys } from '../../support/keys.ts';
import { throughProxy } from './engine-proxy.ts';

const newIndex = (): IndexPartition => ({ name: 'gsi1', pk: `TEST#${randomLetters()}` });

async function addEntry(partition: string, label = 'entry', id = ulid()): Promise<string> {
  const key = { pk: `TEST#${id}`, sk: id };
  await transact([{ Put: { Item: { ...key, id, label, gsi1pk: partition, gsi1sk: id } } }]);
  return id;
}

/** The IDs of every page of a list. */
async function walk(query: Omit<NewestQuery, 'start'>): Promise<string[][]> {
  const pages: string[][] = [];
  let start: NewestQuery['start'];
  do {
    const { items, last } = await readNewest({ ...query, start });
    pages.push(items.map(({ id }) => String(id)));
    start = last;
  } while (start);
  return pages;
}

const newestFirst = (ids: readonly string[]): string[] => [...ids].sort().reverse();

/** Indexes by creation, with one partition or several. */
export function describeSpreadIndexes(): void {
  describe('an index by creation', () => {
    test('begins with one partition', async () => {
      const index = newIndex();

      expect([await choosePartition(index), await choosePartition(index)]).toEqual([index.pk, index.pk]);
      expect(await getItem(keys.spreadIndex(index.pk))).toBeUndefined();
    });

    test('is spread by a process that adds many entries, and stays so for processes after it', async () => {
      const index = newIndex();
      for (let count = 1; count < busyAfter; count++) {
        expect(await choosePartition(index)).toBe(index.pk);
      }

      const later = await Promise.all(Array.from({ length: 200 }, () => choosePartition(index)));
      forgetSpread();
      const ofNewProcess = await choosePartition(index);

      expect(new Set(later)).toEqual(new Set(listPartitions(index.pk)));
      expect(new Set(later).size).toBe(spreadCount);
      expect(listPartitions(index.pk)).toContain(ofNewProcess);
    });

    test('may be marked again', async () => {
      const index = newIndex();
      await markSpread(index);
      await markSpread(index);

      expect(listPartitions(index.pk)).toContain(await choosePartition(index));
    });

    test('is marked by one request, however many entries are added at the same time', async () => {
      const index = newIndex();
      const sent: string[] = [];
      const note = (operation: string) => {
        sent.push(operation);
        return 'pass' as const;
      };

      await throughProxy(note, async () => {
        const spreading = await import('#shared/db/paging/spread-index.ts');
        await spreading.choosePartition(index);
        const many = Array.from({ length: spreading.busyAfter + 100 }, () => index);
        await Promise.all(many.map(spreading.choosePartition));
      });

      expect(sent.filter((operation) => operation === 'UpdateItem')).toHaveLength(1);
    });

    test('shows every entry once and the newest first, in every layout of partitions', async () => {
      const partition = fc.integer({ min: 0, max: spreadCount });
      const layout = fc.record({
        // Before the index was spread all entries lie in the first partition.
        before: fc.nat({ max: 6 }),
        after: fc.array(partition, { maxLength: 14 }),
        limit: fc.integer({ min: 1, max: 6 }),
      });
      await fc.assert(
        fc.asyncProperty(layout, async ({ before, after, limit }) => {
          const index = newIndex();
          const partitions = [index.pk, ...listPartitions(index.pk)];
          const ids: string[] = [];
          for (let count = 0; count < before; count++) ids.push(await addEntry(index.pk));
          if (after.length > 0) await markSpread(index);
          for (const at of after) ids.push(await addEntry(partitions[at] ?? index.pk));

          const pages = await walk({ index, limit });

          expect(pages.flat()).toEqual(newestFirst(ids));
          // Only the last page may be short.
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        }),
        { numRuns: 12 },
      );
    });

    test.each([
      [1, 100],
      [3, 100],
      [20, 100],
      [100, 100],
      [100, 2],
      [20, 1],
    ])(
      'shows what a filter lets through once, %i evaluated at a time, at most %i in a page',
      async (evaluated, limit) => {
        const index = newIndex();
        const old = [await addEntry(index.pk, 'good'), await addEntry(index.pk, 'bad')];
        await markSpread(index);
        const good = [old[0] ?? ''];
        for (const [at, pk] of [...listPartitions(index.pk), ...listPartitions(index.pk)].entries()) {
          const id = await addEntry(pk, at % 3 === 0 ? 'good' : 'bad');
          if (at % 3 === 0) good.push(id);
        }
        const filter = { expression: 'contains(label, :text)', values: { ':text': 'good' } };

        const pages = await walk({ index, limit, evaluated, filter });

        expect(pages.flat()).toEqual(newestFirst(good));
        expect(pages.every((page) => page.length <= limit)).toBe(true);
      },
    );

    test.each([
      { isSpread: false, limit: 1 },
      { isSpread: false, limit: 10 },
      { isSpread: true, limit: 1 },
      { isSpread: true, limit: 10 },
    ])('shows the entries of a time, its end excluded: $isSpread, $limit', async ({ isSpread, limit }) => {
      const index = newIndex();
      const others = listPartitions(index.pk);
      const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
      if (isSpread) await markSpread(index);
      const ids: string[] = [];
      for (const second of [1, 2, 3, 4, 5, 6]) {
        const partition = (isSpread && second % 2 === 0 && others[second]) || index.pk;
        ids.push(await addEntry(partition, 'entry', ulid(Date.parse(at(second)))));
      }
      const show = async (filter: CreationFilter) =>
        (await walk({ index, limit, ...toCreationRange(filter) })).flat();

      expect(await show({ created_from: at(2), created_before: at(5) })).toEqual(
        newestFirst(ids.slice(1, 4)),
      );
      expect(await show({ created_from: at(5) })).toEqual(newestFirst(ids.slice(4)));
      expect(await show({ created_before: at(3) })).toEqual(newestFirst(ids.slice(0, 2)));
      expect(await show({ created_from: at(5), created_before: at(2) })).toEqual([]);
      expect(await show({ created_from: '1969-12-31T00:00:00Z' })).toEqual(newestFirst(ids));
    });

    test('continues in one partition after a page from before it was spread', async () => {
      const index = newIndex();
      const ids = [await addEntry(index.pk), await addEntry(index.pk), await addEntry(index.pk)];
      const first = await readNewest({ index, limit: 1 });
      await markSpread(index);
      const newer = await addEntry(`${index.pk}~3`);

      const second = await readNewest({ index, limit: 5, start: first.last });
      const fromStart = await readNewest({ index, limit: 5 });

      expect(second.items.map(({ id }) => id)).toEqual(newestFirst(ids).slice(1));
      expect(fromStart.items.map(({ id }) => id)).toEqual([newer, ...newestFirst(ids)]);
    });
  });
}
