import type { ArticleSummary } from '#modules/System/public/articles.ts';
import type { Write } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';
import { addUsage, removeUsage } from '#shared/dict/usage.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { categoryType } from './dictionaries.ts';

/** This module's route prefix, by which references are counted. */
const routePrefix = 'article';

/** Writes that begin to refer to a category; the first is the check that it exists. */
export const addCategoryUsage = (category: string): Write[] => addUsage(categoryType, category, routePrefix);
export const removeCategoryUsage = (category: string): Write[] =>
  removeUsage(categoryType, category, routePrefix);

/** Where the indexes by status and category keep an article. */
export function partitionsOf({ status, category }: Pick<ArticleSummary, 'status' | 'category'>) {
  return {
    gsi2pk: indexes.articlesByCategory.pk(status, category),
    gsi3pk: indexes.articlesByStatus.pk(status),
  };
}

/** The write that stores a content, in the transaction of the article's own `content_version`. */
export const putContent = (id: string, content: string, content_version: number): Write => ({
  Put: { Item: { ...keys.articleContent(id), content, content_version } },
});

const changeTries = 10;

/** Tries a change anew where somebody else changed the same article since it was read. */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isConflict = error instanceof AppError && error.code === 'version_conflict';
      if (!isConflict || tries === changeTries) throw error;
    }
  }
}
