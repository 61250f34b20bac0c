import { describe, expect, test } from '@jest/globals';
import {
  addFileCategory,
  categoryTotalKey,
  deleteFileCategory,
  listFileCategories,
  maxCategories,
  renameFileCategory,
} from '#modules/System/files/categories.ts';
import { addFile } from '#modules/System/files/uploads/upload-record.ts';
import { getItem, transact, updateItem } from '#shared/db/items.ts';
import { outcomesOf, tally } from '../../../../../support/database.ts';
import { keys, setAttributes } from '../../../../../support/keys.ts';
import {
  countOf,
  describeFile,
  newCategory,
  newFile,
  readCategories,
  recount,
  unknownId,
} from '../fixture.ts';

const totalOf = async () => (await getItem(categoryTotalKey))?.count;
const recountTotal = async () => (await readCategories()).length - 1;
const childrenOf = async (id: string) => (await getItem(keys.fileCategory(id)))?.child_count;
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);
const unfit = (path: string) => ({ code: 'request.invalid', errors: [{ path, message: 'rule.category' }] });

/** Categories of files. */
export function describeCategories(): void {
  describe('categories of files', () => {
    test('are listed oldest first, of all types or one', async () => {
      const top = await addFileCategory({ name: 'Pictures', type: 'image', parent_id: null });
      const below = await addFileCategory({ name: 'Summer', type: 'image', parent_id: top.id });
      const film = await addFileCategory({ name: 'Films', type: 'video', parent_id: null });

      const [all, images] = [await listFileCategories(), await listFileCategories('image')];

      const own = new Set(idsOf([top, below, film]));
      expect(all.filter(({ id }) => own.has(id))).toEqual(
        [top, below, film].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      );
      expect(idsOf(all)).toEqual(idsOf(all).toSorted());
      expect(images.every(({ type }) => type === 'image')).toBe(true);
      expect(below).toEqual({ id: below.id, name: 'Summer', type: 'image', parent_id: top.id });
      expect(all).toHaveLength(Number(await totalOf()));
    });

    test('have a parent of their type', async () => {
      const parent_id = await newCategory('image');
      const add = (parent: string) => addFileCategory({ name: 'a', type: 'video', parent_id: parent });

      await expect(add(parent_id)).rejects.toMatchObject(unfit('body.parent_id'));
      await expect(add(unknownId)).rejects.toMatchObject(unfit('body.parent_id'));
      expect(await childrenOf(parent_id)).toBe(0);
    });

    test('have at most five levels', async () => {
      let parent: string | null = null;
      for (let depth = 1; depth <= 5; depth += 1) parent = await newCategory('image', parent);

      await expect(newCategory('image', parent)).rejects.toMatchObject({
        code: 'request.invalid',
        errors: [{ path: 'body.parent_id', message: 'rule.category_depth' }],
        params: { max: 5 },
      });
    });

    test('are at most a thousand, also if added at the same time', async () => {
      const total = await totalOf();
      const set = (count: unknown) =>
        updateItem({ Key: { ...categoryTotalKey }, ...setAttributes({ count }) });
      await set(maxCategories - 2);
      try {
        const outcomes = await outcomesOf(Array.from({ length: 8 }, () => newCategory()));

        expect(tally(outcomes)).toEqual({ done: 2, 'request.invalid': 6 });
        await expect(newCategory()).rejects.toMatchObject({
          errors: [{ path: 'body', message: 'rule.category_limit' }],
          params: { max: 1000 },
        });
      } finally {
        await set(Number(total) + 2);
      }
      expect(await totalOf()).toBe(await recountTotal());
    });

    test('are counted exactly if many are added and deleted at the same time', async () => {
      const parent = await newCategory();
      const first = await Promise.all(Array.from({ length: 20 }, () => newCategory('image', parent)));
      expect([await childrenOf(parent), await totalOf()]).toEqual([20, await recountTotal()]);

      const outcomes = await outcomesOf([
        ...[...first.slice(0, 10), ...first.slice(0, 10)].map(deleteFileCategory),
        ...Array.from({ length: 10 }, () => newCategory('image', parent)),
      ]);

      expect(tally(outcomes)).toEqual({ done: 20, 'file.category_not_found': 10 });
      const children = (await listFileCategories()).filter(({ parent_id }) => parent_id === parent);
      expect([await childrenOf(parent), children.length]).toEqual([20, 20]);
      expect(await totalOf()).toBe(await recountTotal());
    });

    test('change only their name when renamed', async () => {
      const [parent, cid] = [await newCategory(), await newCategory()];
      await newFile({ cid });
      const category = await addFileCategory({ name: 'a', type: 'image', parent_id: parent });

      expect(await renameFileCategory(category.id, 'b')).toEqual({ ...category, name: 'b' });
      await renameFileCategory(cid, 'c');
      expect(await countOf(cid)).toBe(1);
      await expect(renameFileCategory(unknownId, 'b')).rejects.toMatchObject({
        code: 'file.category_not_found',
      });
      expect(await getItem(keys.fileCategory(unknownId))).toBeUndefined();
    });

    test('are never deleted while a file is added', async () => {
      for (let round = 0; round < 10; round += 1) {
        const cid = await newCategory();
        const file = describeFile({ cid });
        const comesIn = round % 2 ? transact(addFile(file)) : newCategory('image', cid);

        const [entry, removal] = await outcomesOf([comesIn, deleteFileCategory(cid)]);

        expect([entry === 'done', removal === 'done'].toSorted()).toEqual([false, true]);
        const isThere = (await getItem(keys.fileCategory(cid))) !== undefined;
        expect(isThere).toBe(entry === 'done');
        if (!isThere) expect(await recount(cid)).toBe(0);
      }
    });
  });
}
