import { type ArticleStatus, toArticleSummary } from '#modules/System/public/articles.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { editVersion } from '#shared/db/update.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { assertOffered, refuseCategory } from './categories.ts';
import { type Article, getArticle } from './get-article.ts';
import {
  addCategoryUsage,
  partitionsOf,
  putContent,
  removeCategoryUsage,
  retryOnConflict,
} from './writes.ts';

/** What operators change of an article; what is undefined stays as it is. */
export type ArticleChanges = Partial<
  Pick<Article, 'title' | 'category' | 'cover' | 'summary' | 'content' | 'status'>
>;

/**
 * Changes an article. It may keep a category that is no longer offered, or gone; only another one has to be.
 *
 * @param version the one that the changes were made upon
 * @throws AppError `article.not_found`; `version_conflict` when `version` is not the stored one;
 *   `request.invalid` for another category that is not offered
 */
export async function editArticle(id: string, version: number, changes: ArticleChanges): Promise<Article> {
  const old = await getArticle(id);
  if (old.version !== version) throw new AppError('version_conflict');
  return change(old, changes);
}

/**
 * Enables or disables an article, whatever its version; one that has the status already stays as it is.
 *
 * @throws AppError `article.not_found`; `version_conflict` when others keep changing it
 */
export function setArticleStatus(id: string, status: ArticleStatus): Promise<Article> {
  return retryOnConflict(async () => {
    const old = await getArticle(id);
    return old.status === status ? old : change(old, { status });
  });
}

async function change(old: Article, { content, ...changes }: ArticleChanges): Promise<Article> {
  const { category = old.category, status = old.status } = changes;
  const { id, version } = old;
  const isMoved = category !== old.category;
  if (isMoved) await assertOffered(category);
  const edit = editVersion(keys.article(id), version, {
    ...changes,
    ...partitionsOf({ status, category }),
    published_at: old.published_at ?? (status === 'enabled' ? new Date().toISOString() : null),
    content_version: content === undefined ? undefined : version + 1,
  });
  await write(id, [
    edit.write,
    ...(content === undefined ? [] : [putContent(id, content, version + 1)]),
    ...(isMoved ? [...addCategoryUsage(category), ...removeCategoryUsage(old.category)] : []),
  ]);
  return { ...toArticleSummary({ ...old, ...edit.attributes }), content: content ?? old.content };
}

/** Runs the writes of an edit; the first is the article's, the other condition is the category's. */
async function write(id: string, writes: Write[]): Promise<void> {
  try {
    await transact(writes);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if (!error.failed.includes(0)) throw refuseCategory();
    await getArticle(id);
    throw new AppError('version_conflict');
  }
}
