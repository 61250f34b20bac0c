import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { getRow, partitionOf, queryRows, toRow } from '#shared/db/entity.ts';
import { getItems, type IndexPartition, type Key } from '#shared/db/items.ts';
import { type RowPage, readByCursor } from '#shared/db/paging/cursor.ts';
import { mostSearched, type SearchPage, toSearchPage } from '#shared/db/paging/search-page.ts';
import { beside } from '#shared/db/record-facts.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { status as statusField } from '#shared/schema/fields.ts';
import { hasTerms, toSearchTerms } from '#shared/schema/search.ts';
import { type ArticleSummary, articles } from './article-record.ts';
import type { Article } from './content-schema.ts';

/** Key of a content. It is a separate item, so that lists do not read it. */
export const contentKey = (id: string): Key => beside({ ...articles.key({ id }), sk: '#content' });

/** Attribute of an article and of its content: the version that wrote the content. */
const contentVersion = z.object({ content_version: z.number() });
const storedContent = z.extend(contentVersion, { content: z.string() });

/** An article with its content, strongly consistent. @throws AppError `article.not_found` */
export async function getArticle(id: string): Promise<Article> {
  const { sk } = articles.key({ id });
  for (let tries = 0; tries < 5; tries += 1) {
    const items = await getItems([articles.key({ id }), contentKey(id)]);
    const item = items.find((each) => each.sk === sk);
    if (!item) throw articles.missing();
    const found = items.find((each) => each.sk !== sk);
    const stored = found && z.parse(storedContent, found);
    // They differ if an edit came between the reads of the two items.
    if (stored?.content_version === z.parse(contentVersion, item).content_version) {
      return { ...toRow(articles, item), content: stored.content };
    }
  }
  throw new AppError('database.unavailable', { cause: `the content of article ${id} keeps changing` });
}

/** An article without its content. @throws AppError `article.not_found` */
export const getArticleSummary = (id: string): Promise<ArticleSummary> => getRow(articles, { id });

/** `limit`: 1 to 100. */
export type ArticleQuery = { limit: number; cursor?: string; search?: string } & ArticleFilter;
type ArticleFilter = Partial<Pick<ArticleSummary, 'category' | 'status'>>;

/** A page of articles without contents, newest first. @throws AppError `request.invalid` for a wrong cursor */
export async function listArticles(
  list: 'articles' | 'published articles',
  { limit, cursor, category, status, search }: ArticleQuery,
): Promise<SearchPage<ArticleSummary>> {
  const terms = toSearchTerms(search ?? '');
  const scope = `${list} ${JSON.stringify([category ?? null, status ?? null, terms])}`;
  const partitions = partitionsFor({ category, status });
  // One more than wanted shows whether there is a next page.
  const most = terms.length === 0 ? limit + 1 : Math.ceil(mostSearched / partitions.length);
  const page = await readByCursor(cursor, scope, async (start) => {
    const range = start && { below: String(start.before) };
    const parts = await settleAll(
      partitions.map((each) => queryRows(articles, { ...each, limit: most, ...range })),
    );
    const { rows: found, end } = mergeNewest(parts);
    const matching = found.filter(({ title }) => hasTerms(title, terms));
    const rows = matching.slice(0, limit);
    const before = matching.length > limit ? rows.at(-1)?.id : end;
    return { rows, last: before === undefined ? undefined : { before } };
  });
  return toSearchPage(page, limit, terms.length > 0);
}

/** The partitions of a list: one, or two for a category of any status. */
function partitionsFor({ category, status }: ArticleFilter): IndexPartition[] {
  const { byCreation, byCategory, byStatus } = articles.indexes;
  if (category !== undefined) {
    const wanted = status === undefined ? statusField.options : [status];
    return wanted.map((each) => partitionOf(byCategory, { status: each, category }));
  }
  return [status === undefined ? partitionOf(byCreation, {}) : partitionOf(byStatus, { status })];
}

/**
 * Merges the beginnings of partitions, down to the end of the one that was read least far; an article whose status is
 * changing may be in two.
 *
 * @returns `end`: the ID below which articles were not read
 */
function mergeNewest(parts: readonly RowPage<ArticleSummary>[]): { rows: ArticleSummary[]; end?: string } {
  const end = parts
    .flatMap(({ rows, last }) => (last && rows.at(-1)?.id) ?? [])
    .sort()
    .at(-1);
  const byId = new Map(parts.flatMap(({ rows }) => rows).map((article) => [article.id, article]));
  const rows = [...byId.values()].filter(({ id }) => end === undefined || id >= end);
  return { rows: rows.sort((a, b) => (a.id < b.id ? 1 : -1)), end };
}
