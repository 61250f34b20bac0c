import { ulid } from 'ulid';
import { type ArticleSummary, countArticle } from '#modules/System/public/articles.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { transact } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';
import { assertOffered, refuseCategory } from './categories.ts';
import type { Article } from './get-article.ts';
import { addCategoryUsage, partitionsOf, putContent } from './writes.ts';

/** What an article is made of; `cover` and `summary` are empty, and it is enabled, unless said otherwise. */
export type NewArticle = Pick<Article, 'title' | 'category' | 'content'> &
  Partial<Pick<Article, 'cover' | 'summary' | 'status'>>;

/** @throws AppError `request.invalid` for a category that is not offered */
export async function addArticle({ content, ...input }: NewArticle): Promise<Article> {
  await assertOffered(input.category);
  const article = createArticle(input);
  const { id, category, version } = article;
  const item = {
    ...keys.article(id),
    ...article,
    content_version: version,
    gsi1pk: indexes.articlesByCreation.pk,
    ...partitionsOf(article),
    gsi1sk: id,
    gsi2sk: id,
    gsi3sk: id,
  };
  try {
    await transact([
      { Put: { Item: item, ConditionExpression: 'attribute_not_exists(pk)' } },
      putContent(id, content, version),
      ...addCategoryUsage(category),
      countArticle(1),
    ]);
  } catch (error) {
    throw error instanceof ConditionError ? refuseCategory() : error;
  }
  return { ...article, content };
}

function createArticle(input: Omit<NewArticle, 'content'>): ArticleSummary {
  const { title, category, cover = '', summary = '', status = 'enabled' } = input;
  const now = new Date().toISOString();
  const published_at = status === 'enabled' ? now : null;
  const own = { title, category, cover, summary, status };
  return { id: ulid(), ...own, version: 1, published_at, created_at: now, updated_at: now };
}
