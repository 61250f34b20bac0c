import { countArticles } from '#modules/Article/articles/article-record.ts';
import type { Article, NewArticle } from '#modules/Article/articles/content-schema.ts';
import { type ArticleQuery, listArticles } from '#modules/Article/articles/read-articles.ts';
import { addArticle } from '#modules/Article/articles/write-articles.ts';
import { getItem } from '#shared/db/items.ts';
import { addDictItem } from '#shared/dict/items.ts';
import { randomLetters } from '../../../support/database.ts';
import { keys } from '../../../support/keys.ts';

export const categoryType = 'article_category';
export const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Adds a unique category. */
export async function newCategory(): Promise<string> {
  const value = randomLetters();
  await addDictItem({ type_key: categoryType, value, name: value });
  return value;
}

export const newArticle = (category: string, more: Partial<NewArticle> = {}): Promise<Article> =>
  addArticle({ title: 'Title', category, content: '<p>content</p>', ...more });

/** The IDs of a whole list, read in pages of `limit`, and the length of each page. */
export async function readList(query: ArticleQuery): Promise<{ ids: string[]; pages: number[] }> {
  const ids: string[] = [];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const { list, next_cursor } = await listArticles('articles', { ...query, cursor });
    ids.push(...list.map(({ id }) => id));
    pages.push(list.length);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { ids, pages };
}

/** Counters of the database: references to a category in total and by this module, and all articles. */
export async function readCounts(category: string): Promise<{ usage: number[]; articles: number }> {
  const counters = await Promise.all([
    getItem(keys.usageTotal(categoryType, category)),
    getItem(keys.usage(categoryType, category, 'article')),
  ]);
  return { usage: counters.map((item) => Number(item?.count ?? 0)), articles: await countArticles() };
}
