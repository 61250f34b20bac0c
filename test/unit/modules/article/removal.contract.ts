import { describe, expect, test } from '@jest/globals';
import { deleteArticle, removeArticles } from '#modules/Article/articles/delete-articles.ts';
import uninstall from '#modules/Article/uninstall.ts';
import { getItem } from '#shared/db/items.ts';
import { keys } from '../../../support/keys.ts';
import { newArticle, newCategory, readCounts, readList } from './fixture.ts';

/** What `module:uninstall Article` does to articles. */
export function describeRemoval(): void {
  describe('removeArticles', () => {
    test('deletes all articles, page by page, and their counters', async () => {
      const category = await newCategory();
      const articles = [];
      for (let index = 0; index < 5; index += 1) articles.push(await newArticle(category));
      await newArticle(category, { status: 'disabled' });
      const { articles: before } = await readCounts(category);

      const removed = await removeArticles({ pageSize: 2 });

      const [first] = articles;
      expect(removed).toBe(before);
      expect(await readCounts(category)).toEqual({ usage: [0, 0], articles: 0 });
      expect((await readList({ limit: 100 })).ids).toEqual([]);
      expect(await getItem(keys.articleContent(first?.id ?? ''))).toBeUndefined();
    });

    test('finishes an interrupted removal, and then finds nothing', async () => {
      const category = await newCategory();
      const { id } = await newArticle(category);
      await newArticle(category);
      await deleteArticle(id);

      expect([await uninstall.run(), await uninstall.run()]).toEqual([{ articles: 1 }, { articles: 0 }]);
      expect(await readCounts(category)).toEqual({ usage: [0, 0], articles: 0 });
    });
  });
}
