import { describe, expect, test } from '@jest/globals';
import { listArticles } from '#modules/Article/articles/read-articles.ts';
import { editArticle, setArticleStatus } from '#modules/Article/articles/write-articles.ts';
import { newArticle, newCategory, readList } from './fixture.ts';

/** Adds articles of alternating status. @returns their IDs, newest first */
async function addAlternating(category: string, count: number) {
  const articles: { id: string; status: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    articles.push(await newArticle(category, { status: index % 2 === 0 ? 'enabled' : 'disabled' }));
  }
  articles.sort((a, b) => (a.id < b.id ? 1 : -1));
  const idsOf = (status: string) => articles.filter((each) => each.status === status).map(({ id }) => id);
  return { all: articles.map(({ id }) => id), enabled: idsOf('enabled'), disabled: idsOf('disabled') };
}

/** Lists, read by cursor. */
export function describeLists(): void {
  describe('a list of articles', () => {
    test('holds every article once, newest first, with any filter and page size', async () => {
      const category = await newCategory();
      const ids = await addAlternating(category, 9);
      await newArticle(await newCategory());

      for (const limit of [1, 2, 3, 4, 5, 8, 9, 10, 100]) {
        const lists = [
          await readList({ limit, category }),
          await readList({ limit, category, status: 'enabled' }),
          await readList({ limit, category, status: 'disabled' }),
        ];
        expect(lists.map((list) => list.ids)).toEqual([ids.all, ids.enabled, ids.disabled]);
        // Only the last page may be short; no page is empty.
        for (const { pages } of lists) {
          expect(pages.slice(0, -1).every((length) => length === limit)).toBe(true);
          expect(pages.at(-1)).toBeGreaterThan(0);
        }
      }
    });

    test('without a category holds articles of all categories', async () => {
      const ids = await addAlternating(await newCategory(), 3);
      const others = await addAlternating(await newCategory(), 3);

      const [all, enabled, disabled] = [
        await readList({ limit: 7 }),
        await readList({ limit: 7, status: 'enabled' }),
        await readList({ limit: 7, status: 'disabled' }),
      ];

      expect(all.ids).toEqual([...all.ids].sort().reverse());
      expect(all.ids).toEqual(expect.arrayContaining([...ids.all, ...others.all]));
      expect(new Set([...enabled.ids, ...disabled.ids])).toEqual(new Set(all.ids));
      expect(enabled.ids).toEqual(expect.arrayContaining([...ids.enabled, ...others.enabled]));
      expect(disabled.ids).not.toEqual(expect.arrayContaining(ids.enabled));
    });

    test('has an article under its current status and category', async () => {
      const [from, to] = [await newCategory(), await newCategory()];
      const { id } = await newArticle(from);

      await setArticleStatus(id, 'disabled');
      const disabled = [
        await readList({ limit: 5, category: from, status: 'enabled' }),
        await readList({ limit: 5, category: from, status: 'disabled' }),
      ];
      await editArticle(id, 2, { category: to, status: 'enabled' });
      const moved = [
        await readList({ limit: 5, category: from }),
        await readList({ limit: 5, category: to, status: 'enabled' }),
        await readList({ limit: 5, category: to, status: 'disabled' }),
      ];

      expect(disabled.map(({ ids }) => ids)).toEqual([[], [id]]);
      expect(moved.map(({ ids }) => ids)).toEqual([[], [id], []]);
    });

    test('continues after its page even if the last article of the page changed', async () => {
      const category = await newCategory();
      const { all } = await addAlternating(category, 4);
      const { list, next_cursor } = await listArticles('articles', { limit: 2, category });
      for (const { id, version } of list) await editArticle(id, version, { category: await newCategory() });

      const cursor = next_cursor ?? '';
      const rest = await listArticles('articles', { limit: 2, category, cursor });

      expect(rest).toMatchObject({ list: all.slice(2).map((id) => ({ id })), next_cursor: null });
    });

    test('finds words of titles in any case, width and order, and Chinese by pairs, of any page size', async () => {
      const category = await newCategory();
      const titles = ['Spring sale', 'ＳＡＬＥ of spring', '春季促销活动', '促销', 'Sales of autumn'];
      const ids = new Map<string, string>();
      for (const [at, title] of titles.entries()) {
        const status = at % 2 === 0 ? 'enabled' : 'disabled';
        ids.set(title, (await newArticle(category, { title, status })).id);
      }
      const find = async (search: string, limit: number) =>
        (await readList({ limit, category, search })).ids.map(
          (id) => titles.find((title) => ids.get(title) === id) ?? id,
        );

      for (const limit of [1, 2, 100]) {
        expect(await find('spring SALE', limit)).toEqual(titles.slice(0, 2).toReversed());
        expect(await find('促销', limit)).toEqual(titles.slice(2, 4).toReversed());
        expect(await find('季促', limit)).toEqual(['春季促销活动']);
        expect(await find('winter', limit)).toEqual([]);
      }
    });

    test('without articles is empty', async () => {
      const nothing = { list: [], next_cursor: null };

      expect(await listArticles('articles', { limit: 5, category: 'no such category' })).toEqual(nothing);
    });
  });
}
