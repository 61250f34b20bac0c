import { describe, expect, test } from '@jest/globals';
import { countArticles, listLatestArticles } from '#modules/Article/articles/article-record.ts';
import { deleteArticle } from '#modules/Article/articles/delete-articles.ts';
import { newArticle, newCategory } from './fixture.ts';

/** The part of articles that other modules may use. */
export function describeLatest(): void {
  describe('the latest articles', () => {
    test('are the newest that are enabled', async () => {
      const category = await newCategory();
      const articles = [
        await newArticle(category, { title: 'First' }),
        await newArticle(category, { title: 'Hidden', status: 'disabled' }),
        await newArticle(category, { title: 'Second' }),
      ];

      const latest = await listLatestArticles(2);

      const expected = articles
        .filter(({ status }) => status === 'enabled')
        .map(({ id, title, published_at }) => ({ id, title, category, published_at }))
        .sort((a, b) => (a.id < b.id ? 1 : -1));
      expect(latest).toEqual(expected);
    });

    test('are at most as many as requested', async () => {
      const category = await newCategory();
      for (let index = 0; index < 3; index += 1) await newArticle(category);

      expect(await listLatestArticles(1)).toHaveLength(1);
      expect(await listLatestArticles(3)).toHaveLength(3);
    });
  });

  describe('the number of articles', () => {
    test('counts all articles', async () => {
      const category = await newCategory();
      const before = await countArticles();

      const added = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          newArticle(category, { status: index < 6 ? 'enabled' : 'disabled' }),
        ),
      );
      const between = await countArticles();
      await Promise.all(added.slice(2).map(({ id }) => deleteArticle(id)));

      expect(between).toBe(before + 12);
      expect(await countArticles()).toBe(before + 2);
    });
  });
}
