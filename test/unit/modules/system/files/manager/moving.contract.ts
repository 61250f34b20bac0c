import { describe, expect, test } from '@jest/globals';
import { deleteFileCategory } from '#modules/System/files/categories.ts';
import { deleteFiles } from '#modules/System/files/manager/delete-files.ts';
import { moveFiles, renameFile } from '#modules/System/files/manager/edit-files.ts';
import { listFiles } from '#modules/System/files/manager/list-files.ts';
import { listVariants } from '#shared/storage/naming/variant-link.ts';
import { createMemoryEngine } from '../../../../../doubles/memory-engine.ts';
import { outcomesOf, tally } from '../../../../../support/database.ts';
import { countOf, newCategory, newFile, newFiles, readFile, recount, unknownId } from '../fixture.ts';

const idsOf = (files: readonly { id: string }[]) => files.map(({ id }) => id);
const open = async () => createMemoryEngine('local');

/** Moves between categories, and names. */
export function describeMoving(): void {
  describe('moving files', () => {
    test('moves them into a category, into another, and out of it', async () => {
      const [one, other] = [await newCategory(), await newCategory()];
      const ids = idsOf(await newFiles(3));

      const places = [];
      for (const cid of [one, other, null]) {
        expect(await moveFiles(ids, cid)).toBe(3);
        places.push([await countOf(one), await recount(one), await countOf(other), await recount(other)]);
      }

      expect(places).toEqual([
        [3, 3, 0, 0],
        [0, 0, 3, 3],
        [0, 0, 0, 0],
      ]);
      const item = await readFile(ids[0] ?? '');
      expect(item).not.toHaveProperty('cid');
      expect(item).not.toHaveProperty('gsi2pk');
    });

    test('counts a file that is in the category already, once', async () => {
      const cid = await newCategory();
      const ids = idsOf([await newFile({ cid }), await newFile()]);

      expect(await moveFiles(ids, cid)).toBe(2);
      expect(await moveFiles(ids, cid)).toBe(2);
      expect(await countOf(cid)).toBe(2);
    });

    test('refuses an unknown category, also one that was deleted', async () => {
      const { id } = await newFile();
      const gone = await newCategory();
      await deleteFileCategory(gone);

      const moves = [moveFiles([id], unknownId), moveFiles([id], gone)];

      expect(await outcomesOf(moves)).toEqual(Array(2).fill('file.category_not_found'));
    });

    test('moves nothing if one file is of another type', async () => {
      const cid = await newCategory('image');
      const ids = idsOf([await newFile({ type: 'image' }), await newFile({ type: 'video' })]);

      await expect(moveFiles(ids, cid)).rejects.toMatchObject({
        code: 'request.invalid',
        errors: [{ path: 'body.cid', message: 'rule.category' }],
      });
      expect([await countOf(cid), await recount(cid)]).toEqual([0, 0]);
    });

    test('keeps the counts exact with concurrent moves', async () => {
      const categories = [await newCategory(), await newCategory(), null];
      const ids = idsOf(await newFiles(4));
      const targets = Array.from({ length: 20 }, (_, index) => categories[index % 3] ?? null);

      const outcomes = await outcomesOf(targets.map((cid) => moveFiles(ids, cid)));

      expect(tally(outcomes)).toEqual({ done: 20 });
      for (const cid of categories.slice(0, 2)) {
        expect(await countOf(cid ?? '')).toBe(await recount(cid ?? ''));
      }
    });

    test('keeps the counts exact with concurrent moves and deletions', async () => {
      const [one, other] = [await newCategory(), await newCategory()];
      const ids = idsOf(await newFiles(10, { cid: one }));

      const outcomes = await outcomesOf([
        ...ids.map((id, index) => moveFiles([id], index % 2 ? other : null)),
        ...ids.map((id) => deleteFiles([id], { open })),
      ]);

      expect(tally(outcomes)).toEqual({ done: 20 });
      expect((await Promise.all(ids.map(readFile))).filter(Boolean)).toEqual([]);
      expect([await countOf(one), await countOf(other)]).toEqual([0, 0]);
    });

    test('never deletes a category while files are added', async () => {
      for (let round = 0; round < 10; round += 1) {
        const cid = await newCategory();
        const { id } = await newFile();

        const outcomes = await outcomesOf([moveFiles([id], cid), deleteFileCategory(cid)]);

        const isIn = (await readFile(id))?.cid === cid;
        expect(outcomes).toEqual(
          isIn ? ['done', 'file.category_not_empty'] : ['file.category_not_found', 'done'],
        );
        expect(await countOf(cid)).toBe(isIn ? 1 : undefined);
      }
    });
  });

  describe('renaming a file', () => {
    test.each([
      [' summer.png ', 'summer.png'],
      ['no extension', 'no extension'],
      ['../../etc/passwd', 'passwd'],
      ['C:\\files\\a.png', 'a.png'],
      ['gnp.\u202Eexe', 'gnp.exe'],
      ['...', 'unnamed'],
    ])('keeps %j as %j', async (given, name) => {
      const file = await newFile();

      const renamed = await renameFile(file.id, given);

      const { engine, key, ...shown } = file;
      expect(renamed).toEqual({
        ...shown,
        url: file.uri,
        name,
        visibility: 'public',
        variants: listVariants(file),
      });
      expect((await listFiles({ limit: 1 })).list).toEqual([renamed]);
      expect(await readFile(file.id)).toMatchObject({ engine, key });
    });
  });
}
