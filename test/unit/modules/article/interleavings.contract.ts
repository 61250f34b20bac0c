import { describe, expect, test } from '@jest/globals';
import { deleteArticle } from '#modules/Article/articles/delete-articles.ts';
import { getArticle } from '#modules/Article/articles/read-articles.ts';
import { editArticle, setArticleStatus } from '#modules/Article/articles/write-articles.ts';
import { transact } from '#shared/db/items.ts';
import { deleteDictItem } from '#shared/dict/items.ts';
import { keys } from '../../../support/keys.ts';
import { afterReading } from './after-reading.ts';
import { categoryType, newArticle, newCategory, readCounts } from './fixture.ts';

const refusal = { code: 'request.invalid', errors: [{ path: 'body.category' }] };

/** Changes between the read and the write of another change. */
export function describeInterleavings(): void {
  describe('between read and write', () => {
    test('a deleted category is refused, for a new article and for one that moves there', async () => {
      const [first, second] = [await newCategory(), await newCategory()];
      const article = await newArticle(await newCategory());
      const { articles } = await readCounts(first);

      await afterReading(first, () => deleteDictItem(categoryType, first, false));
      await expect(newArticle(first)).rejects.toMatchObject(refusal);
      await afterReading(second, () => deleteDictItem(categoryType, second, false));
      await expect(editArticle(article.id, 1, { category: second })).rejects.toMatchObject(refusal);

      expect(await getArticle(article.id)).toEqual(article);
      for (const gone of [first, second]) {
        expect(await readCounts(gone)).toEqual({ usage: [0, 0], articles });
      }
    });

    test('another edit makes an edit stale', async () => {
      const { id } = await newArticle(await newCategory());

      await afterReading(id, () => editArticle(id, 1, { title: 'First' }));
      await expect(editArticle(id, 1, { title: 'Second' })).rejects.toMatchObject({
        code: 'version_conflict',
      });

      expect(await getArticle(id)).toMatchObject({ title: 'First', version: 2 });
    });

    test('a deletion leaves nothing to edit', async () => {
      const { id } = await newArticle(await newCategory());

      await afterReading(id, () => deleteArticle(id));
      const editing = editArticle(id, 1, { title: 'Late', content: 'late' });

      await expect(editing).rejects.toMatchObject({ code: 'article.not_found' });
    });

    test('an edit is kept by a change of the status', async () => {
      const [from, to] = [await newCategory(), await newCategory()];
      const { id } = await newArticle(from);

      await afterReading(id, () => editArticle(id, 1, { title: 'Edited', category: to }));
      const disabled = await setArticleStatus(id, 'disabled');

      expect(disabled).toMatchObject({ title: 'Edited', category: to, status: 'disabled', version: 3 });
      expect(await getArticle(id)).toEqual(disabled);
    });

    test('a move does not make a deletion free the wrong category', async () => {
      const [from, to] = [await newCategory(), await newCategory()];
      const { id } = await newArticle(from);

      await afterReading(id, () => editArticle(id, 1, { category: to }));
      await deleteArticle(id);

      expect((await readCounts(from)).usage).toEqual([0, 0]);
      expect((await readCounts(to)).usage).toEqual([0, 0]);
    });

    test('an article and its content of different versions are read again', async () => {
      const { id, content } = await newArticle(await newCategory());
      const put = (text: string, content_version: number) =>
        transact([{ Put: { Item: { ...keys.articleContent(id), content: text, content_version } } }]);
      await put('of another version', 2);

      await afterReading(id, () => put(content, 1));

      expect((await getArticle(id)).content).toBe(content);
    });
  });
}
