import { countArticle, toArticleSummary } from '#modules/System/public/articles.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { getItem, transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { removeCategoryUsage, retryOnConflict } from './writes.ts';

/**
 * Deletes an article with its content, whatever its version.
 *
 * @throws AppError `article.not_found`; `version_conflict` when others keep moving it between categories
 */
export function deleteArticle(id: string): Promise<void> {
  return retryOnConflict(async () => {
    const item = await getItem(keys.article(id));
    if (!item) throw new AppError('article.not_found');
    const { category } = toArticleSummary(item);
    try {
      await transact([
        removeFrom(id, category),
        { Delete: { Key: { ...keys.articleContent(id) } } },
        ...removeCategoryUsage(category),
        countArticle(-1),
      ]);
    } catch (error) {
      throw error instanceof ConditionError ? new AppError('version_conflict') : error;
    }
  });
}

/** The removal of an article that is still in the category whose usage goes with it. */
const removeFrom = (id: string, category: string): Write => ({
  Delete: {
    Key: { ...keys.article(id) },
    ConditionExpression: '#category = :category',
    ExpressionAttributeNames: { '#category': 'category' },
    ExpressionAttributeValues: { ':category': category },
  },
});
