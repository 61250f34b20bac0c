import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ulid } from 'ulid';
import * as z from 'zod/mini';
import { type Counter, moveCounter, readCounters } from '#shared/db/counter.ts';
import {
  assertVersion,
  changeRow,
  defineEntity,
  editRow,
  findClaim,
  findRow,
  findRows,
  getRow,
  listPartition,
  partitionOf,
  putRow,
  queryRows,
  retryOnConflict,
  takeClaim,
  toItem,
} from '#shared/db/entity.ts';
import { deleteItem, getItem, singleKey, transact } from '#shared/db/items.ts';
import { readByCursor } from '#shared/db/paging/cursor.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { outcomesOf, randomLetters, tally } from '../../support/database.ts';

const note = z.object({
  id: z.string(),
  owner: z.string(),
  folder: z.nullable(z.string()),
  text: z.string(),
  version: z.int(),
  updated_at: z.string(),
});
type Note = z.infer<typeof note>;

const notes = defineEntity({
  row: note,
  key: ({ id }: { id: string }) => singleKey(`NOTE#${id}`),
  indexes: {
    byOwner: { name: 'gsi1', pk: ({ owner }: Pick<Note, 'owner'>) => `NOTE#${owner}`, sk: ({ id }) => id },
    byFolder: {
      name: 'gsi2',
      pk: ({ folder }: Pick<Note, 'folder'>) => (folder === null ? undefined : `NOTE_FOLDER#${folder}`),
      sk: ({ id }) => id,
    },
  },
  missing: () => new AppError('dict.item_not_found'),
  taken: (cause) => new AppError('dict.value_exists', { cause }),
});

/** Notes with attributes, and a place in an index, that are computed of the row. */
const computed = defineEntity({
  ...notes,
  row: z.pipe(
    z.extend(z.omit(note, { folder: true }), { place: z.optional(z.object({ name: z.string() })) }),
    z.transform(({ place, ...rest }): Note => ({ ...rest, folder: place?.name ?? null })),
  ),
  toAttributes: ({ folder, ...rest }) => ({
    ...rest,
    text_lower: rest.text.toLowerCase(),
    ...(folder !== null && { place: { name: folder } }),
    ...(rest.text !== '' && { gsi3pk: `NOTE_TEXT#${rest.text}`, gsi3sk: rest.id }),
  }),
});

const newNote = (more: Partial<Note> = {}): Note => ({
  ...{ id: ulid(), owner: randomLetters(), folder: null, text: '', version: 1, updated_at: '' },
  ...more,
});
const store = async (row: Note): Promise<Note> => {
  await transact([putRow(notes, row)]);
  return row;
};

/** What an entity derives from its declaration. */
export function describeEntities(): void {
  describe('an entity', () => {
    test('stores a row with its keys and its places in the indexes, and reads the row alone', async () => {
      const row = await store(newNote({ folder: 'a' }));
      const { id, owner } = row;

      expect(await getItem(singleKey(`NOTE#${id}`))).toEqual({
        ...{ ...row, pk: `NOTE#${id}`, sk: `NOTE#${id}` },
        ...{ gsi1pk: `NOTE#${owner}`, gsi1sk: id, gsi2pk: 'NOTE_FOLDER#a', gsi2sk: id },
      });
      expect(await getRow(notes, { id })).toEqual(row);
      expect(await findRows(notes, [{ id }, { id: 'none' }])).toEqual([row]);
      expect(await listPartition(notes, `NOTE#${id}`)).toEqual([row]);
      expect(toItem(notes, row, { gsi1pk: 'other' })).toMatchObject({ gsi1pk: 'other', gsi1sk: id });
    });

    test('throws its own errors for a row that is missing, or already exists', async () => {
      const row = await store(newNote());

      expect(await findRow(notes, { id: 'none' })).toBeUndefined();
      await expect(getRow(notes, { id: 'none' })).rejects.toMatchObject({ code: 'dict.item_not_found' });
      await expect(changeRow(notes, { id: 'none' }, { set: { text: 'x' } })).rejects.toMatchObject({
        code: 'dict.item_not_found',
      });
      await expect(store(row)).rejects.toMatchObject({ code: 'dict.value_exists' });
      expect(await getItem(notes.key({ id: 'none' }))).toBeUndefined();
    });

    test('edits any row; its item equals one that was stored with these values', async () => {
      const folder = fc.constantFrom(null, 'a', 'b');
      const edits = fc.array(
        fc.record(
          { text: fc.string({ maxLength: 3 }), folder, owner: fc.constantFrom('x', 'y') },
          { requiredKeys: [] },
        ),
        { minLength: 1, maxLength: 4 },
      );
      await fc.assert(
        fc.asyncProperty(folder, edits, async (first, changes) => {
          let row = await store(newNote({ folder: first }));
          for (const each of changes) {
            const edit = editRow(notes, row, each);
            await transact([edit.write]);
            row = edit.row;
          }

          expect(row).toMatchObject({ ...Object.assign({}, ...changes), version: 1 + changes.length });
          expect(await getItem(notes.key(row))).toEqual(
            Object.fromEntries(Object.entries(toItem(notes, row))),
          );
        }),
        { numRuns: 15 },
      );
    });

    test('computes attributes for edits as for new rows; those without a value go', async () => {
      const texts = fc.constantFrom('', 'A', 'B');
      const folders = fc.constantFrom(null, 'a', 'b');
      const edits = fc.array(fc.record({ text: texts, folder: folders }, { requiredKeys: [] }), {
        minLength: 1,
        maxLength: 4,
      });
      await fc.assert(
        fc.asyncProperty(texts, folders, edits, async (text, folder, changes) => {
          let row = newNote({ text, folder });
          await transact([putRow(computed, row)]);
          for (const each of changes) {
            const { write, row: edited } = editRow(computed, row, each);
            await transact([write]);
            row = edited;

            const { folder: inFolder, ...rest } = row;
            expect(await getItem(computed.key(row))).toEqual({
              ...{ ...rest, ...singleKey(`NOTE#${row.id}`), gsi1pk: `NOTE#${row.owner}`, gsi1sk: row.id },
              text_lower: row.text.toLowerCase(),
              ...(inFolder !== null && {
                ...{ place: { name: inFolder }, gsi2pk: `NOTE_FOLDER#${inFolder}` },
                gsi2sk: row.id,
              }),
              ...(row.text !== '' && { gsi3pk: `NOTE_TEXT#${row.text}`, gsi3sk: row.id }),
            });
          }
        }),
        { numRuns: 15 },
      );
    });

    test('gives a computed attribute to a row that was stored without it', async () => {
      const row = await store(newNote({ text: 'Old', folder: 'a' }));

      await transact([editRow(computed, row, { folder: 'b' }).write]);

      expect(await getItem(notes.key(row))).toMatchObject({ text_lower: 'old', place: { name: 'b' } });
    });

    test('lets one of several edits of a version pass', async () => {
      const row = await store(newNote());
      const edits = ['a', 'b', 'c'].map((text) => transact([editRow(notes, row, { text }).write]));

      expect(tally(await outcomesOf(edits))).toEqual({ done: 1, version_conflict: 2 });
      expect(() => assertVersion({ ...row, version: 2 }, 1)).toThrow('version_conflict');
      await deleteItem(notes.key(row));
      const late = transact([editRow(notes, row, { text: 'late' }).write]);
      await expect(late).rejects.toMatchObject({ code: 'dict.item_not_found' });
    });

    test('keeps the place in a spread index through an edit', async () => {
      const row = newNote();
      await transact([putRow(notes, row, { gsi1pk: 'NOTE#spread~1' })]);

      await transact([editRow(notes, row, { text: 'new' }).write]);

      expect(await getItem(notes.key(row))).toMatchObject({ gsi1pk: 'NOTE#spread~1', text: 'new' });
    });

    test('lists an index page by page, newest first or by a part of the sort key', async () => {
      const owner = randomLetters();
      for (const id of ['a1', 'a2', 'b1', 'b2', 'b3']) await store(newNote({ id: `${owner}${id}`, owner }));
      const partition = partitionOf(notes.indexes.byOwner, { owner });
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await readByCursor(cursor, owner, (start) =>
          queryRows(notes, { ...partition, limit: 2, start }),
        );
        seen.push(page.list.map(({ id }) => id.slice(-2)).join());
        cursor = page.next_cursor ?? undefined;
      } while (cursor);
      const list = async (query: object) => {
        const { rows } = await queryRows(notes, { ...partition, limit: 9, ...query });
        return rows.map(({ id }) => id.slice(-2)).join();
      };

      expect(seen).toEqual(['b3,b2', 'b1,a2', 'a1']);
      expect(await list({ isNewestFirst: false })).toBe('a1,a2,b1,b2,b3');
      expect(await list({ below: `${owner}b1` })).toBe('a2,a1');
      expect(await list({ equals: `${owner}b1` })).toBe('b1');
      expect(await list({ beginsWith: `${owner}a`, isNewestFirst: false })).toBe('a1,a2');
      expect(() => partitionOf(notes.indexes.byFolder, { folder: null })).toThrow('gsi2');
    });

    test('gives a unique value to one row only', async () => {
      const key = singleKey(`CLAIM#TEST#${randomLetters()}`);
      const taken = () => new AppError('dict.value_exists');
      const claims = ['1', '2', '3'].map((id) => transact([takeClaim(key, id, taken)]));

      expect(await findClaim(singleKey('CLAIM#TEST#none'))).toBeUndefined();
      expect(tally(await outcomesOf(claims))).toEqual({ done: 1, 'dict.value_exists': 2 });
      expect(['1', '2', '3']).toContain(await findClaim(key));
    });
  });

  test('a counter is the sum of its shards, beside others', async () => {
    const counter = (shards: number): Counter => {
      const pk = `COUNTER#${randomLetters()}`;
      return { shards, key: (shard) => ({ pk, sk: String(shard) }) };
    };
    const [one, two, none] = [counter(1), counter(4), counter(2)];
    await transact([moveCounter(one, { total: 5 })]);
    for (const by of [1, 2, 3, -4]) await transact([moveCounter(two, { total: by, moves: 1 })]);

    expect(await readCounters([one, two, none])).toEqual([{ total: 5 }, { total: 2, moves: 4 }, {}]);
  });

  test('a conflict is tried again, another error is not', async () => {
    let count = 0;
    const fail = (code: 'version_conflict' | 'dict.item_not_found', times: number) => async () => {
      count += 1;
      if (count <= times) throw new AppError(code);
      return count;
    };

    expect(await retryOnConflict(3, fail('version_conflict', 2))).toBe(3);
    count = 0;
    await expect(retryOnConflict(3, fail('version_conflict', 3))).rejects.toThrow('version_conflict');
    expect(count).toBe(3);
    count = 0;
    await expect(retryOnConflict(3, fail('dict.item_not_found', 1))).rejects.toThrow('dict.item_not_found');
    expect(count).toBe(1);
  });
}
