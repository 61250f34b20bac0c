import { describe, expect, test } from '@jest/globals';
import { deleteArticle } from '#modules/Article/articles/delete-articles.ts';
import { getArticle } from '#modules/Article/articles/read-articles.ts';
import { editArticle, setArticleStatus } from '#modules/Article/articles/write-articles.ts';
import { getItem } from '#shared/db/items.ts';
import { keys } from '../../../support/keys.ts';
import { newArticle, newCategory, readCounts } from './fixture.ts';

/** Changes of one article. */
export function describeEdits(): void {
  describe('an article', () => {
    test('keeps the time when it was first enabled', async () => {
      const draft = await newArticle(await newCategory(), { status: 'disabled' });
      const titled = await editArticle(draft.id, 1, { title: 'Draft' });

      const enabled = await setArticleStatus(draft.id, 'enabled');
      await setArticleStatus(draft.id, 'disabled');
      const again = await editArticle(draft.id, 4, { status: 'enabled' });

      expect([draft.published_at, titled.published_at]).toEqual([null, null]);
      expect(enabled.published_at).toEqual(expect.any(String));
      expect(again).toMatchObject({ version: 5, status: 'enabled', published_at: enabled.published_at });
    });

    test('changes single fields, and is answered as stored', async () => {
      const article = await newArticle(await newCategory(), { summary: 'old', cover: 'storage/a.png' });

      const edited = await editArticle(article.id, 1, { summary: 'new', title: undefined });
      const emptied = await editArticle(article.id, 2, { summary: '', cover: '', content: '' });
      const untouched = await editArticle(article.id, 3, {});

      const { updated_at } = edited;
      expect(edited).toEqual({ ...article, summary: 'new', version: 2, updated_at });
      expect(emptied).toMatchObject({ summary: '', cover: '', content: '', title: 'Title', version: 3 });
      expect(untouched).toEqual({ ...emptied, version: 4, updated_at: untouched.updated_at });
      expect(await getArticle(article.id)).toEqual(untouched);
    });

    test('stays unchanged if it has the status already', async () => {
      const article = await newArticle(await newCategory());

      expect(await setArticleStatus(article.id, 'enabled')).toEqual(article);
      expect(await getArticle(article.id)).toEqual(article);
    });

    test('is deleted with its content and counters', async () => {
      const category = await newCategory();
      const before = await readCounts(category);
      const { id } = await newArticle(category);
      const between = await readCounts(category);

      await deleteArticle(id);

      expect(between).toEqual({ usage: [1, 1], articles: before.articles + 1 });
      expect(await readCounts(category)).toEqual(before);
      expect(await getItem(keys.article(id))).toBeUndefined();
      expect(await getItem(keys.articleContent(id))).toBeUndefined();
    });
  });
}
