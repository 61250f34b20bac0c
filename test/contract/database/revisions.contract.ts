import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ulid } from 'ulid';
import * as z from 'zod/mini';
import {
  changeRow,
  defineEntity,
  editRow,
  findRow,
  getRow,
  putRow,
  removeRow,
  retryOnConflict,
} from '#shared/db/entity.ts';
import { deleteItem, getItem, queryPartition, singleKey, transact } from '#shared/db/items.ts';
import { beside } from '#shared/db/record-facts.ts';
import { withAuthor, withoutRevisions } from '#shared/db/revisions/keep.ts';
import { revisionPartition } from '#shared/db/revisions/options.ts';
import { listRevisions, type Revision } from '#shared/db/revisions/read.ts';
import { changeItem, putItem, removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { secret } from '#shared/schema/marks.ts';
import { outcomesOf, randomLetters } from '../../support/database.ts';

const page = z.object({
  id: z.string(),
  text: z.string(),
  key: secret(z.string()),
  access: z.object({ host: z.string(), password: z.optional(secret(z.string())) }),
  visits: z._default(z.int(), 0),
  version: z.int(),
  updated_at: z.string(),
});
type Page = z.infer<typeof page>;

const pages = defineEntity({
  row: page,
  key: ({ id }: { id: string }) => singleKey(`PAGE#${id}`),
  missing: () => new AppError('dict.item_not_found'),
  revisions: { days: 1, row: z.omit(page, { visits: true }) },
});

/** What is kept of a page. */
const shown = ({ key, visits, access: { host }, ...rest }: Page) => ({ ...rest, access: { host } });

async function store(text = ''): Promise<Page> {
  const row = { id: ulid(), text, key: 'hidden', access: { host: 'a', password: 'hidden' }, visits: 0 };
  const stored = { ...row, version: 1, updated_at: new Date().toISOString() };
  await transact([putRow(pages, stored)]);
  return stored;
}

async function edit(id: string, change: (row: Page) => Partial<Page>): Promise<Page> {
  const old = await getRow(pages, { id });
  const { write, row } = editRow(pages, old, change(old));
  await transact([write]);
  return row;
}

/** All revisions of a page, newest first, by pages of the list. */
async function readAll(id: string, limit = 100): Promise<Revision[]> {
  const all: Revision[] = [];
  let cursor: string | undefined;
  do {
    const { list, next_cursor } = await listRevisions(pages, { id }, { limit, cursor });
    all.push(...list);
    cursor = next_cursor ?? undefined;
  } while (cursor);
  return all;
}

/** What an entity keeps of the rows that are replaced. */
export function describeRevisions(): void {
  describe('revisions', () => {
    test('are exactly the rows that were replaced, under concurrent edits, deletions and counts', async () => {
      const step = fc.constantFrom('edit', 'edit', 'count', 'delete');
      const steps = fc.array(step, { minLength: 2, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(steps, async (kinds) => {
          const first = await store('0');
          const { id } = first;
          const replaced: Page[] = [];
          const run = (kind: 'edit' | 'count' | 'delete', at: number) =>
            retryOnConflict(50, async () => {
              const old = await findRow(pages, { id });
              if (!old) return;
              const key = beside(pages.key({ id }));
              const writes = {
                count: () => changeItem(key, { add: { visits: 1 }, expect: {} }, pages.missing),
                edit: () => editRow(pages, old, { text: `${at}` }).write,
                delete: () => removeRow(pages, old),
              };
              await transact([writes[kind]()]);
              if (kind !== 'count') replaced.push(old);
            });
          const outcomes = await outcomesOf(kinds.map(run));
          // A deletion may come between the read of another step and its write.
          expect(outcomes.filter((each) => each !== 'done' && each !== 'dict.item_not_found')).toEqual([]);
          const last = await findRow(pages, { id });

          const kept = (await readAll(id, 3)).reverse();
          const byVersion = replaced.toSorted((a, b) => a.version - b.version);
          expect(kept.map(({ old }) => old)).toEqual(byVersion.map(shown));
          const rows = [...byVersion, ...(last ? [last] : [])];
          for (const [at, each] of kept.entries()) {
            const next = rows[at + 1];
            expect(each.new && { ...each.old, ...each.new }).toEqual(next ? shown(next) : null);
          }
        }),
        { numRuns: 20 },
      );
    });

    test('hold nothing of fields that are marked secret, or that their row does not name', async () => {
      const { id } = await store();
      await edit(id, () => ({ key: 'hidden too', access: { host: 'b', password: 'hidden too' }, text: 'x' }));

      const all = await readAll(id);

      expect(JSON.stringify(all)).not.toContain('hidden');
      expect(JSON.stringify(all)).not.toContain('visits');
      expect(all[0]?.new).toMatchObject({ access: { host: 'b' }, text: 'x' });
    });

    test('name who changed what in which request; null outside of requests', async () => {
      const { id } = await store();
      await edit(id, () => ({ text: 'a' }));
      const author = { by: { kind: 'admin', id: '1', account: 'ann' }, action: 'a/b', request_id: 'r' };
      const change = () => edit(id, () => ({ text: 'b' }));
      await withAuthor(() => author, change);

      expect(await readAll(id)).toMatchObject([
        { ...author, new: { text: 'b' } },
        { by: null, action: null, request_id: null, old: { text: '' } },
      ]);
    });

    test('are written by the transaction of the change: if it is refused, none is kept', async () => {
      const row = await store();
      const edits = [1, 2, 3].map((each) => transact([editRow(pages, row, { text: `${each}` }).write]));

      expect((await outcomesOf(edits)).toSorted()).toEqual(['done', 'version_conflict', 'version_conflict']);
      expect(await readAll(row.id)).toHaveLength(1);
    });

    test('stay in order if the clock goes back', async () => {
      const row = await store('a');
      const ahead = { ...row, updated_at: '2999-01-01T00:00:00.000Z' };
      const second = editRow(pages, ahead, { text: 'b' });
      await transact([second.write]);
      await transact([editRow(pages, second.row, { text: 'c' }).write]);

      expect((await readAll(row.id)).map(({ old }) => old.text)).toEqual(['b', 'a']);
    });

    test('hold long texts, also such as hardly compress', async () => {
      const word = () => ulid() + randomLetters();
      const noise = () => Array.from({ length: 4500 }, word).join('').slice(0, 200_000);
      const row = await store(noise());
      const texts = [row.text];
      for (let count = 0; count < 3; count += 1) {
        const text = noise();
        await edit(row.id, () => ({ text }));
        texts.push(text);
      }

      const all = await readAll(row.id);

      expect(all.map(({ old }) => old.text)).toEqual(texts.slice(0, 3).reverse());
      expect(all.map((each) => each.new?.text)).toEqual(texts.slice(1).reverse());
    });

    test('are not shown after their expiry, before the database removes them', async () => {
      const { id } = await store();
      await edit(id, () => ({ text: 'a' }));
      await edit(id, () => ({ text: 'b' }));
      const [first, last] = await queryPartition(revisionPartition(pages.key({ id }).pk));
      const day = Math.floor(Date.now() / 1000) + 86_400;
      expect(Math.abs(Number(last?.ttl) - day)).toBeLessThan(60);
      await transact([putItem({ ...first, ttl: Math.floor(Date.now() / 1000) - 1 })]);

      expect(await readAll(id)).toMatchObject([{ old: { text: 'a' } }]);
    });

    test('are found for a deleted record, not for one that never existed; a cursor opens its own list only', async () => {
      const [one, other] = [await store(), await store()];
      for (const { id } of [one, other]) for (const text of ['a', 'b']) await edit(id, () => ({ text }));
      await transact([removeRow(pages, await getRow(pages, one))]);

      const all = await readAll(one.id, 1);
      expect(all[0]).toMatchObject({ new: null, old: { text: 'b', version: 3 } });
      expect(all).toHaveLength(3);
      const { next_cursor } = await listRevisions(pages, one, { limit: 1 });
      const foreign = listRevisions(pages, other, { limit: 1, cursor: String(next_cursor) });
      await expect(foreign).rejects.toMatchObject({ code: 'request.invalid' });
      const unknown = listRevisions(pages, { id: 'none' }, { limit: 1 });
      await expect(unknown).rejects.toMatchObject({ code: 'dict.item_not_found' });
      const nothing = await listRevisions(pages, await store(), { limit: 1 });
      expect(nothing).toEqual({ list: [], next_cursor: null });
    });

    test('cannot be forgotten: a write that does not say what it replaces is refused, and writes nothing', async () => {
      const { id } = await store('a');
      const key = pages.key({ id });
      const forgotten = [
        () => transact([removeItem(key)]),
        () => transact([changeItem(key, { set: { text: 'x' } })]),
        () => transact([putItem({ ...key, text: 'x' })]),
        () => deleteItem(key),
        () => changeRow(pages, { id }, { set: { text: 'x' } }),
      ];
      for (const write of forgotten) await expect(write()).rejects.toThrow('keeps no revision');
      expect(await getItem(key)).toMatchObject({ text: 'a' });
    });

    test('are not kept of example data', async () => {
      const { id } = await store();
      await withoutRevisions(() => edit(id, () => ({ text: 'a' })));

      expect(await readAll(id)).toEqual([]);
    });

    test.each([0, -1, 0.5, Number.NaN, 3651, Number.POSITIVE_INFINITY])(
      'refuse to be kept %d days',
      (days) => {
        const { missing } = pages;
        const declare = () => defineEntity({ row: page, key: singleKey, missing, revisions: { days } });
        expect(declare).toThrow('a whole number from 1 to 3650');
      },
    );
  });
}
