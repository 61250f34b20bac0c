import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { getItems, type Item, queryPage, type Write } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';

export const articleStatuses = ['enabled', 'disabled'] as const;
export type ArticleStatus = (typeof articleStatuses)[number];

const stored = z.object({
  id: z.string(),
  title: z.string(),
  category: z.string(),
  cover: z.string(),
  summary: z.string(),
  status: z.enum(articleStatuses),
  version: z.number(),
  published_at: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
/** An article without its content, which is an item of its own. */
export type ArticleSummary = z.infer<typeof stored>;

/** Reads the item of an article; what is in it for the database alone is left out. */
export const toArticleSummary = (item: Item): ArticleSummary => z.parse(stored, item);

/** A partition of an index that holds articles by their IDs. */
export interface ArticlePartition {
  /** Name of the index. */
  name: string;
  pk: string;
}

/**
 * Articles of a partition, newest first.
 *
 * @param limit most of them; one page of a query holds more than 100
 * @param before ID of an article; only older ones are returned
 */
export async function queryArticles(
  { name, pk }: ArticlePartition,
  limit: number,
  before?: string,
): Promise<ArticleSummary[]> {
  const { items } = await queryPage({
    IndexName: name,
    KeyConditionExpression: `${name}pk = :pk${before === undefined ? '' : ` AND ${name}sk < :before`}`,
    ExpressionAttributeValues: { ':pk': pk, ...(before !== undefined && { ':before': before }) },
    ScanIndexForward: false,
    Limit: limit,
  });
  return items.map(toArticleSummary);
}

/** The counter is spread over so many items, so that many writers at a time do not wait for one. */
const shards = Array.from({ length: 8 }, (_, index) => String(index));

/** The write that counts an article in or out; it belongs in the transaction that adds or deletes it. */
export function countArticle(by: 1 | -1): Write {
  return {
    Update: {
      // Any shard does for either: one of them may fall below 0, their sum does not.
      Key: { ...keys.counter('ARTICLES', shards[randomInt(shards.length)]) },
      UpdateExpression: 'ADD #total :by',
      ExpressionAttributeNames: { '#total': 'total' },
      ExpressionAttributeValues: { ':by': by },
    },
  };
}

/** How many articles there are, whatever their status. */
export async function countArticles(): Promise<number> {
  const items = await getItems(shards.map((shard) => keys.counter('ARTICLES', shard)));
  return items.reduce((sum, { total }) => sum + Number(total), 0);
}

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
