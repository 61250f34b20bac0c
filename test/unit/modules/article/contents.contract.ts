import { describe, expect, test } from '@jest/globals';
import { getArticle } from '#modules/Article/articles/read-articles.ts';
import { editArticle, setArticleStatus } from '#modules/Article/articles/write-articles.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { keys } from '../../../support/keys.ts';
import { newArticle, newCategory, readList } from './fixture.ts';

const largest = 'x'.repeat(300 * 1024);

/** The stored item of a content. */
const putContent = (id: string, content: string, content_version: number): Write => ({
  Put: { Item: { ...keys.articleContent(id), content, content_version } },
});

/** Contents, which are stored apart from their articles. */
export function describeContents(): void {
  describe('a content', () => {
    test('of any size does not shorten the pages of a list', async () => {
      const category = await newCategory();
      for (let index = 0; index < 21; index += 1) await newArticle(category, { content: largest });

      expect(await readList({ category, status: 'enabled', limit: 20 })).toMatchObject({ pages: [20, 1] });
      expect(await readList({ category, limit: 20 })).toMatchObject({ pages: [20, 1] });
      expect(await readList({ status: 'enabled', limit: 20 })).toMatchObject({
        pages: expect.arrayContaining([20]),
      });
    });

    test('stays with its article through edits of other fields', async () => {
      const article = await newArticle(await newCategory(), { content: 'first' });
      await editArticle(article.id, 1, { title: 'Second' });
      await setArticleStatus(article.id, 'disabled');
      const edited = await editArticle(article.id, 3, { content: 'fourth' });
      await editArticle(article.id, 4, { title: 'Fifth' });

      expect(edited.content).toBe('fourth');
      expect(await getArticle(article.id)).toMatchObject({ title: 'Fifth', content: 'fourth', version: 5 });
    });

    test('is never answered with the fields of another version', async () => {
      const { id } = await newArticle(await newCategory(), { title: '1', content: '1' });
      let isEditing = true;
      const editing = (async () => {
        for (let version = 1; version <= 40; version += 1) {
          const text = String(version + 1);
          await editArticle(id, version, { title: text, content: text });
        }
      })().finally(() => {
        isEditing = false;
      });

      const seen: [string, string][] = [];
      while (isEditing) {
        const { title, content } = await getArticle(id);
        seen.push([title, content]);
      }
      await editing;

      expect(seen.filter(([title, content]) => title !== content)).toEqual([]);
      expect(await getArticle(id)).toMatchObject({ title: '41', content: '41' });
    });

    test('that never matches its article is an error', async () => {
      const { id } = await newArticle(await newCategory());
      await transact([putContent(id, 'of an edit that never was', 7)]);

      await expect(getArticle(id)).rejects.toMatchObject({ code: 'database.unavailable' });
    });
  });
}
