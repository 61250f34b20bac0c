import { partitionOf, removeRow, retryOnConflict } from '#shared/db/entity.ts';
import { transact } from '#shared/db/items.ts';
import { removeItem } from '#shared/db/writes.ts';
import { removeUsage } from '#shared/dict/usage.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { articles, countArticle, queryArticles } from './article-record.ts';
import type { Article } from './content-schema.ts';
import { categoryType, routePrefix } from './dictionaries.ts';
import { contentKey, getArticle, getArticleSummary } from './read-articles.ts';

/** Deletes an article of any version. @throws AppError `article.not_found`; `version_conflict` if it keeps moving */
export function deleteArticle(id: string): Promise<void> {
  return retryOnConflict(10, async () => {
    const { content, ...article } = await getArticle(id).catch((error) => readWithoutContent(id, error));
    await transact([
      removeRow(articles, article, { beside: { content } }),
      removeItem(contentKey(id)),
      ...removeUsage(categoryType, article.category, routePrefix),
      countArticle(-1),
    ]);
  });
}

/** An article whose content is missing or of another version can be deleted too. */
async function readWithoutContent(id: string, error: unknown): Promise<Article> {
  if (!(error instanceof AppError) || error.code !== 'database.unavailable') throw error;
  return { ...(await getArticleSummary(id)), content: '' };
}

/** Deletes every article, each in its own transaction, so that the counters stay correct after an interruption. */
export async function removeArticles({ pageSize = 100 } = {}): Promise<number> {
  const partition = partitionOf(articles.indexes.byCreation, {});
  let removed = 0;
  let below: string | undefined;
  for (;;) {
    const page = await queryArticles(partition, pageSize, { below });
    for (const { id } of page) removed += await deleteUnlessGone(id);
    below = page.at(-1)?.id;
    if (below === undefined) return removed;
  }
}

/** Returns 0 if the article no longer exists; the index may still list it. */
const deleteUnlessGone = (id: string): Promise<0 | 1> =>
  deleteArticle(id).then(
    () => 1,
    (error) => {
      if (error instanceof AppError && error.code === articles.missing().code) return 0;
      throw error;
    },
  );
