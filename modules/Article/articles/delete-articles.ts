import { articles, countArticle, queryArticles } from '#modules/System/public/articles.ts';
import { getRow, partitionOf, retryOnConflict } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { removeItem } from '#shared/db/writes.ts';
import { removeUsage } from '#shared/dict/usage.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { categoryType, routePrefix } from './dictionaries.ts';
import { contentKey } from './read-articles.ts';

/**
 * Deletes an article with its content, whatever its version.
 *
 * @throws AppError `article.not_found`; `version_conflict` if others keep moving it between categories
 */
export function deleteArticle(id: string): Promise<void> {
  return retryOnConflict(10, async () => {
    const { category } = await getRow(articles, { id });
    await transact([
      removeItem(articles.key({ id }), { expect: { category } }, () => new AppError('version_conflict')),
      removeItem(contentKey(id)),
      ...removeUsage(categoryType, category, routePrefix),
      countArticle(-1),
    ]);
  });
}

/** Articles read at a time. */
const defaultPageSize = 100;

/**
 * Deletes every article, each in a transaction of its own: the counters stay true if it is interrupted.
 *
 * @returns how many were deleted
 */
export async function removeArticles({ pageSize = defaultPageSize } = {}): Promise<number> {
  const partition = partitionOf(articles.indexes.byCreation, {});
  let removed = 0;
  let below: string | undefined;
  for (;;) {
    const page = await queryArticles(partition, pageSize, below);
    for (const { id } of page) if (await deleteUnlessGone(id)) removed += 1;
    below = page.at(-1)?.id;
    if (below === undefined) return removed;
  }
}

/** The index may still list what is gone. */
async function deleteUnlessGone(id: string): Promise<boolean> {
  try {
    await deleteArticle(id);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === articles.missing().code) return false;
    throw error;
  }
}
