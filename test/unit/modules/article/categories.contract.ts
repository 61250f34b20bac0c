import { describe, expect, test } from '@jest/globals';
import { deleteArticle } from '#modules/Article/articles/delete-articles.ts';
import { getArticle } from '#modules/Article/articles/read-articles.ts';
import { editArticle, setArticleStatus } from '#modules/Article/articles/write-articles.ts';
import { addDictItem, changeDictValue, deleteDictItem, editDictItem } from '#shared/dict/items.ts';
import { editDictType, getDictType } from '#shared/dict/types.ts';
import { outcomesOf, randomLetters } from '../../../support/database.ts';
import { categoryType, newArticle, newCategory, readCounts } from './fixture.ts';

const refusal = {
  code: 'request.invalid',
  errors: [{ path: 'body.category', message: 'dict.item_not_found' }],
};

const setTypeEnabled = async (enabled: boolean) => {
  const { version } = await getDictType(categoryType);
  await editDictType(categoryType, version, { enabled });
};

/** Categories: values of a dictionary that articles refer to. */
export function describeCategories(): void {
  describe('a category', () => {
    test('must exist, for a new article and for one that moves there', async () => {
      const article = await newArticle(await newCategory());
      const before = await readCounts(article.category);
      const unknown = randomLetters();

      await expect(newArticle(unknown)).rejects.toMatchObject(refusal);
      await expect(editArticle(article.id, 1, { category: unknown })).rejects.toMatchObject(refusal);

      expect(await getArticle(article.id)).toEqual(article);
      expect(await readCounts(article.category)).toEqual(before);
      expect((await readCounts(unknown)).usage).toEqual([0, 0]);
    });

    test('must be enabled, and its dictionary too', async () => {
      const [category, disabled] = [await newCategory(), await newCategory()];
      const article = await newArticle(category);
      await editDictItem(categoryType, disabled, 1, { status: 'disabled' });

      const ofItem = await outcomesOf([
        newArticle(disabled),
        editArticle(article.id, 1, { category: disabled }),
      ]);
      await setTypeEnabled(false);
      const ofType = await outcomesOf([newArticle(category)]).finally(() => setTypeEnabled(true));

      expect([...ofItem, ...ofType]).toEqual(Array(3).fill('request.invalid'));
    });

    test('stays with its articles after it is disabled', async () => {
      const { id, category } = await newArticle(await newCategory());
      await editDictItem(categoryType, category, 1, { status: 'disabled' });

      const edited = await editArticle(id, 1, { title: 'Kept', category });

      expect(edited).toMatchObject({ title: 'Kept', category, version: 2 });
      expect((await readCounts(category)).usage).toEqual([1, 1]);
    });

    test('is counted for an article that moves there', async () => {
      const [from, to] = [await newCategory(), await newCategory()];
      const article = await newArticle(from);
      await newArticle(from);

      const moved = await editArticle(article.id, 1, { category: to, content: 'moved' });

      expect(moved).toMatchObject({ category: to, content: 'moved' });
      expect((await readCounts(from)).usage).toEqual([1, 1]);
      expect((await readCounts(to)).usage).toEqual([1, 1]);
    });

    test('in use is neither deleted nor changed, until its last article is gone', async () => {
      const category = await newCategory();
      const [first, second] = [await newArticle(category), await newArticle(category)];
      const inUse = { code: 'dict.value_in_use', errors: [{ path: 'article', message: '2' }] };
      const rename = () =>
        changeDictValue(categoryType, category, 1, { new_value: randomLetters(), force: false });

      await expect(deleteDictItem(categoryType, category, false)).rejects.toMatchObject(inUse);
      await expect(rename()).rejects.toMatchObject(inUse);
      await deleteArticle(first.id);
      await editArticle(second.id, 1, { category: await newCategory() });
      await deleteDictItem(categoryType, category, false);

      expect((await readCounts(category)).usage).toEqual([0, 0]);
    });

    test('leaves its articles editable after it was deleted by force', async () => {
      const [gone, next] = [await newCategory(), await newCategory()];
      const [kept, moved, deleted] = [await newArticle(gone), await newArticle(gone), await newArticle(gone)];
      await deleteDictItem(categoryType, gone, true);

      const edited = await editArticle(kept.id, 1, { title: 'Edited', category: gone });
      const disabled = await setArticleStatus(kept.id, 'disabled');
      await editArticle(moved.id, 1, { category: next });
      await deleteArticle(deleted.id);

      expect(edited).toMatchObject({ title: 'Edited', category: gone });
      expect(disabled).toMatchObject({ status: 'disabled', version: 3 });
      await expect(editArticle(moved.id, 2, { category: gone })).rejects.toMatchObject(refusal);
      // A category that is added again is used by the remaining articles.
      await addDictItem({ type_key: categoryType, value: gone, name: 'Back' });
      await expect(deleteDictItem(categoryType, gone, false)).rejects.toMatchObject({
        errors: [{ path: 'article', message: '1' }],
      });
    });
  });
}
