import { queryArticles } from '#modules/System/public/articles.ts';
import { indexes } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { deleteArticle } from './delete-article.ts';

/** Articles read at a time. */
const defaultPageSize = 100;

/**
 * Deletes every article, one transaction each, so that counters and the usage of categories stay true however
 * often it is interrupted.
 *
 * @returns how many were deleted
 */
export async function removeArticles({ pageSize = defaultPageSize } = {}): Promise<number> {
  const { name, pk } = indexes.articlesByCreation;
  let removed = 0;
  let before: string | undefined;
  for (;;) {
    const page = await queryArticles({ name, pk }, pageSize, before);
    for (const { id } of page) if (await deleteUnlessGone(id)) removed += 1;
    before = page.at(-1)?.id;
    if (before === undefined) return removed;
  }
}

/** The index may still list what is gone. */
async function deleteUnlessGone(id: string): Promise<boolean> {
  try {
    await deleteArticle(id);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'article.not_found') return false;
    throw error;
  }
}
