import { indexes } from '#shared/db/keys.ts';
import { type ArticleSummary, queryArticles } from './article-item.ts';

export { countArticles } from './article-counter.ts';

/** An article as other modules list it. */
export type LatestArticle = Pick<ArticleSummary, 'id' | 'title' | 'category' | 'published_at'>;

/**
 * Enabled articles, newest first.
 *
 * @param limit most of them, 1 to 100
 */
export async function listLatestArticles(limit: number): Promise<LatestArticle[]> {
  const { name, pk } = indexes.articlesByStatus;
  const articles = await queryArticles({ name, pk: pk('enabled') }, limit);
  return articles.map(({ id, title, category, published_at }) => ({ id, title, category, published_at }));
}
