import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { deleteFile } from '#modules/System/files/manager/delete-files.ts';
import { renameFile } from '#modules/System/files/manager/edit-files.ts';
import { type FileQuery, listFiles, type SearchBounds } from '#modules/System/files/manager/list-files.ts';
import type { StoredFile } from '#modules/System/files/records/file-record.ts';
import { addFile, chooseFileKeys } from '#modules/System/files/uploads/upload-record.ts';
import { transact } from '#shared/db/items.ts';
import { markSpread } from '#shared/db/paging/spread-index.ts';
import { createMemoryEngine } from '../../../../../doubles/memory-engine.ts';
import { indexes } from '../../../../../support/keys.ts';
import { describeFile, newCategory, newFile, newFiles } from '../fixture.ts';

const idsOf = (files: readonly { id: string }[]) => files.map(({ id }) => id);
const newestFirst = (files: readonly { id: string }[]) => idsOf(files).sort().reverse();

/** Records files of a category without a number of files, many at a time. */
async function recordAll(files: readonly StoredFile[]): Promise<void> {
  const writes = files.flatMap((file) => addFile(file).slice(0, 1));
  for (let at = 0; at < writes.length; at += 100) await transact(writes.slice(at, at + 100));
}

/** Every page of a list. */
async function walk(query: Omit<FileQuery, 'cursor'>, bounds?: SearchBounds) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await listFiles({ ...query, cursor }, bounds);
    pages.push(idsOf(page.list));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return pages;
}

/** Lists of files. */
export function describeListing(): void {
  describe('the list of files', () => {
    test('holds the files of a type', async () => {
      const [video] = [await newFile({ type: 'video' }), await newFile({ type: 'image' })];

      const { list } = await listFiles({ limit: 1, type: 'video' });

      expect(idsOf(list)).toEqual([video.id]);
    });

    test.each([
      ['annual REPORT.pdf', 'Report', true],
      ['ÉTÉ.png', 'e\u0301te\u0301', true],
      ['年度报告.pdf', '度报', true],
      ['100%_done.png', '%_', true],
      ['report.pdf', 'r.p', false],
      ['report.pdf', 'reports', false],
    ])('finds %j by %j: %s', async (name, keyword, isFound) => {
      const cid = ulid();
      await recordAll([describeFile({ name, cid })]);

      expect((await listFiles({ limit: 5, cid, keyword })).list).toHaveLength(isFound ? 1 : 0);
    });

    test('finds a renamed file by its new name only', async () => {
      const cid = ulid();
      const file = describeFile({ cid, name: 'old.png' });
      await recordAll([file]);

      await renameFile(file.id, 'NEW.png');

      expect((await listFiles({ limit: 5, cid, keyword: 'old' })).list).toEqual([]);
      expect(idsOf((await listFiles({ limit: 5, cid, keyword: 'new' })).list)).toEqual([file.id]);
    });

    test('skips nothing and shows nothing twice, with any names, limit and bounds', async () => {
      const names = fc.array(fc.stringMatching(/^[aAb]{1,3}$/), { maxLength: 20 });
      const sizes = { limit: fc.integer({ min: 1, max: 6 }), atOnce: fc.integer({ min: 1, max: 7 }) };
      const inAll = fc.integer({ min: 1, max: 15 });
      await fc.assert(
        fc.asyncProperty(names, fc.record({ ...sizes, inAll }), async (given, { limit, ...bounds }) => {
          const cid = ulid();
          const files = given.map((name) => describeFile({ name, cid }));
          await recordAll(files);

          const pages = await walk({ limit, cid, keyword: 'Ab' }, bounds);

          const wanted = files.filter(({ name }) => name.toLowerCase().includes('ab'));
          expect(pages.flat()).toEqual(newestFirst(wanted));
          expect(pages.every((page) => page.length <= limit)).toBe(true);
        }),
        { numRuns: 60 },
      );
    });

    test('returns a short page after comparing enough files with a keyword', async () => {
      const cid = ulid();
      const files = Array.from({ length: 1100 }, () => describeFile({ cid }));
      files.sort((a, b) => (a.id < b.id ? -1 : 1));
      Object.assign(files[0] ?? {}, { name: 'the oldest.png' });
      await recordAll(files);

      const first = await listFiles({ limit: 20, cid, keyword: 'OLDEST' });
      const second = await listFiles({
        limit: 20,
        cid,
        keyword: 'oldest',
        cursor: first.next_cursor ?? undefined,
      });

      expect(first).toEqual({ list: [], next_cursor: expect.any(String) });
      expect(second).toMatchObject({ list: [{ name: 'the oldest.png' }], next_cursor: null });
    });

    test('continues after a file that is deleted', async () => {
      const cid = await newCategory();
      const files = await newFiles(4, { cid, name: 'a' });
      const first = await listFiles({ limit: 2, cid, keyword: 'a' });
      const engine = createMemoryEngine('local');
      const gone = files.filter(({ id }) => idsOf(first.list).includes(id));
      for (const file of gone) await deleteFile(file, async () => engine);

      const second = await listFiles({ limit: 2, cid, keyword: 'a', cursor: first.next_cursor ?? '' });

      expect(idsOf(second.list)).toEqual(newestFirst(files).slice(2));
    });

    test('accepts a cursor only with the same filters', async () => {
      const cid = await newCategory();
      await newFiles(3, { cid, name: 'a' });
      const { next_cursor } = await listFiles({ limit: 1, cid, keyword: 'A' });
      const cursor = next_cursor ?? '';

      const isRefused = { code: 'request.invalid', errors: [{ path: 'query.cursor' }] };
      for (const other of [{ cid }, { cid, keyword: 'b' }, { keyword: 'a' }, { type: 'image' as const }]) {
        await expect(listFiles({ limit: 1, cursor, ...other })).rejects.toMatchObject(isRefused);
      }
      expect((await listFiles({ limit: 1, cursor, cid, keyword: 'a' })).list).toHaveLength(1);
    });

    test('shows files of a spread list once, the newest first, also those that a keyword finds', async () => {
      const index = { name: indexes.filesByType.name, pk: indexes.filesByType.pk('file') };
      const old = await newFiles(3, { type: 'file', name: 'a.pdf' });
      await markSpread(index);
      const files = Array.from({ length: 20 }, (_, at) =>
        describeFile({ type: 'file', name: at % 2 === 0 ? 'a.pdf' : 'b.pdf' }),
      );
      for (const file of files) await transact(addFile(file, await chooseFileKeys(file)));
      const known = new Set(idsOf([...old, ...files]));
      const mine = (pages: string[][]) => pages.flat().filter((id) => known.has(id));

      const all = await walk({ limit: 4, type: 'file' });
      const found = await walk({ limit: 4, type: 'file', keyword: 'b' }, { atOnce: 9, inAll: 18 });

      expect(mine(all)).toEqual(newestFirst([...old, ...files]));
      expect(all.slice(0, -1).every((page) => page.length === 4)).toBe(true);
      expect(mine(found)).toEqual(newestFirst(files.filter(({ name }) => name === 'b.pdf')));
    });
  });
}
