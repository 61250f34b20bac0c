import { randomInt } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { deleteArticle } from '#modules/Article/articles/delete-articles.ts';
import { getArticle } from '#modules/Article/articles/read-articles.ts';
import { editArticle, setArticleStatus } from '#modules/Article/articles/write-articles.ts';
import { deleteDictItem } from '#shared/dict/items.ts';
import { outcomesOf, tally } from '../../../support/database.ts';
import { categoryType, newArticle, newCategory, readCounts, readList } from './fixture.ts';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Concurrent changes. */
export function describeConcurrency(): void {
  describe('at the same time', () => {
    test('every change of the status is applied, even with edits in between', async () => {
      const { id } = await newArticle(await newCategory());

      const outcomes = await outcomesOf([
        ...times(4, (index) => setArticleStatus(id, index % 2 === 0 ? 'disabled' : 'enabled')),
        ...times(4, () => editArticle(id, 1, { title: 'Edited' })),
      ]);

      const { version, status, category } = await getArticle(id);
      expect(outcomes.slice(0, 4)).toEqual(Array(4).fill('done'));
      expect(tally(outcomes.slice(4)).done ?? 0).toBeLessThanOrEqual(1);
      expect(version).toBeGreaterThan(1);
      expect((await readList({ limit: 5, category, status })).ids).toEqual([id]);
      expect((await readList({ limit: 5, category })).ids).toEqual([id]);
    });

    test('a deletion and a move leave the counters right', async () => {
      for (let round = 0; round < 8; round += 1) {
        const [from, to] = [await newCategory(), await newCategory()];
        const { id } = await newArticle(from);
        const { articles } = await readCounts(from);

        const [moved, deleted] = await outcomesOf([
          editArticle(id, 1, { category: to, content: 'moved' }),
          deleteArticle(id),
        ]);

        expect(deleted).toBe('done');
        expect(['done', 'article.not_found']).toContain(moved);
        expect(await readCounts(from)).toEqual({ usage: [0, 0], articles: articles - 1 });
        expect((await readCounts(to)).usage).toEqual([0, 0]);
        await expect(getArticle(id)).rejects.toMatchObject({ code: 'article.not_found' });
      }
    });

    test('an article is deleted once', async () => {
      const { id, category } = await newArticle(await newCategory());
      const { articles } = await readCounts(category);

      const outcomes = await outcomesOf(times(5, () => deleteArticle(id)));

      expect(tally(outcomes)).toEqual({ done: 1, 'article.not_found': 4 });
      expect(await readCounts(category)).toEqual({ usage: [0, 0], articles: articles - 1 });
    });

    test('new articles and the deletion of their category leave either both or neither', async () => {
      for (let round = 0; round < 8; round += 1) {
        const category = await newCategory();
        const before = await readCounts(category);

        const [deleted, ...added] = await outcomesOf([
          deleteDictItem(categoryType, category, false),
          ...times(4, () => newArticle(category)),
        ]);

        const count = tally(added).done ?? 0;
        // No article is deleted here: the value was deleted before the first article, or not at all.
        expect([deleted, count]).toEqual(deleted === 'done' ? ['done', 0] : ['dict.value_in_use', 4]);
        expect(tally(added)['request.invalid'] ?? 0).toBe(4 - count);
        expect(await readCounts(category)).toEqual({
          usage: [count, count],
          articles: before.articles + count,
        });
        expect((await readList({ limit: 5, category })).ids).toHaveLength(count);
      }
    });

    test('counters and lists always match the articles', async () => {
      const categories = [await newCategory(), await newCategory(), await newCategory()];
      const any = () => categories[randomInt(categories.length)] ?? '';
      const { articles } = await readCounts(any());
      const ids = (await Promise.all(times(6, () => newArticle(any())))).map(({ id }) => id);
      const work = async (id: string): Promise<unknown> => {
        const { version } = await getArticle(id);
        const changes = [
          () => editArticle(id, version, { category: any() }),
          () => editArticle(id, version, { category: any(), status: 'enabled', content: 'new' }),
          () => setArticleStatus(id, 'disabled'),
          () => deleteArticle(id),
        ];
        return changes[randomInt(changes.length)]?.();
      };

      const outcomes: string[] = [];
      for (let round = 0; round < 5; round += 1) {
        outcomes.push(...(await outcomesOf([...ids, ...ids].map(work))));
      }

      const left = (await Promise.allSettled(ids.map(getArticle))).flatMap((result) =>
        result.status === 'fulfilled' ? [result.value] : [],
      );
      expect(outcomes.filter((outcome) => !isExpected(outcome))).toEqual([]);
      for (const category of categories) {
        const here = left.filter((article) => article.category === category);
        expect(await readCounts(category)).toEqual({
          usage: [here.length, here.length],
          articles: articles + left.length,
        });
        for (const status of ['enabled', 'disabled'] as const) {
          const { ids: listed } = await readList({ limit: 2, category, status });
          const expected = here.filter((article) => article.status === status).map(({ id }) => id);
          expect(new Set(listed)).toEqual(new Set(expected));
        }
      }
    });
  });
}

const isExpected = (outcome: string): boolean =>
  ['done', 'version_conflict', 'article.not_found'].includes(outcome);
