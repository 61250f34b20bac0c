import * as z from 'zod/mini';
import { type Item, queryPage } from '#shared/db/items.ts';

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
