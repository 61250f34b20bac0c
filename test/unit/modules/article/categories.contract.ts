import { describe, expect, test } from '@jest/globals';
import { deleteArticle } from '#modules/Article/articles/delete-articles.ts';
import { editArticle, setArticleStatus } from '#modules/Article/articles/write-articles.ts';
import { addDictItem, deleteDictItem } from '#shared/dict/items.ts';
import { categoryType, newArticle, newCategory, readCounts } from './fixture.ts';

const refusal = {
  code: 'request.invalid',
  errors: [{ path: 'body.category', message: 'dict.item_not_found' }],
};

/** Categories: values of a dictionary that articles refer to. */
export function describeCategories(): void {
  describe('a category', () => {
    test('is counted for an article that moves there', async () => {
      const [from, to] = [await newCategory(), await newCategory()];
      const article = await newArticle(from);
      await newArticle(from);

      const moved = await editArticle(article.id, 1, { category: to, content: 'moved' });

      expect(moved).toMatchObject({ category: to, content: 'moved' });
      expect((await readCounts(from)).usage).toEqual([1, 1]);
      expect((await readCounts(to)).usage).toEqual([1, 1]);
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
