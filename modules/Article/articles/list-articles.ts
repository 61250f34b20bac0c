import {
  type ArticlePartition,
  type ArticleStatus,
  type ArticleSummary,
  articleStatuses,
  queryArticles,
} from '#modules/System/public/articles.ts';
import { settleAll } from '#shared/async/settle-all.ts';
import { decodeCursor, encodeCursor } from '#shared/db/cursor.ts';
import { indexes } from '#shared/db/keys.ts';

export interface ArticleQuery {
  /** 1 to 100. */
  limit: number;
  cursor?: string;
  category?: string;
  status?: ArticleStatus;
}

/**
 * A page of articles without their contents, newest first.
 *
 * @param list name of the list, which its cursors are bound to
 * @throws AppError `request.invalid` for a cursor that was not made for this list and these filters
 */
export async function listArticles(
  list: 'articles' | 'published articles',
  { limit, cursor, category, status }: ArticleQuery,
): Promise<{ list: ArticleSummary[]; next_cursor: string | null }> {
  const scope = `${list} ${JSON.stringify([category ?? null, status ?? null])}`;
  const start = decodeCursor(cursor, scope);
  const before = start && String(start.before);
  const partitions = partitionsFor(category, status);
  // One more than wanted tells whether there is a next page.
  const pages = await settleAll(partitions.map((each) => queryArticles(each, limit + 1, before)));
  const found = mergeNewest(pages);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const next = last && found.length > limit ? { before: last.id } : undefined;
  return { list: page, next_cursor: encodeCursor(next, scope) };
}

/** The partitions that together hold what a list asks for: one, or two for a category of any status. */
function partitionsFor(category?: string, status?: ArticleStatus): ArticlePartition[] {
  const { articlesByCreation, articlesByCategory, articlesByStatus } = indexes;
  if (category !== undefined) {
    const wanted = status === undefined ? articleStatuses : [status];
    const { name, pk } = articlesByCategory;
    return wanted.map((each) => ({ name, pk: pk(each, category) }));
  }
  const { name, pk } = articlesByStatus;
  return [status === undefined ? articlesByCreation : { name, pk: pk(status) }];
}

/** Each article once: one whose status is just changing may be in two partitions. */
function mergeNewest(pages: ArticleSummary[][]): ArticleSummary[] {
  const byId = new Map(pages.flat().map((article) => [article.id, article]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}
