import * as z from 'zod/mini';
import { type Counter, moveCounter, readCounters } from '#shared/db/counter.ts';
import { defineEntity, partitionOf, queryRows } from '#shared/db/entity.ts';
import { type IndexPartition, type IndexQuery, singleKey, type Write } from '#shared/db/items.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { itemValue } from '#shared/dict/schema.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { components } from '#shared/schema/component.ts';
import { createdAt, status, updatedAt, version } from '#shared/schema/fields.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import articleErrors from '../errors.ts';

/** A value of the dictionary `article_category`. */
export const articleCategory = titled(
  { zh_CN: '分类', en: 'Category', dictionary: 'article_category' },
  itemValue,
);

/** Readers see an article while it is enabled: operators publish and withdraw it. */
export const articleStatus = titled(
  {
    zh_CN: '状态',
    en: 'Status',
    options: {
      enabled: { zh_CN: '已发布', en: 'Published' },
      disabled: { zh_CN: '未发布', en: 'Not published' },
    },
  },
  status,
);

/** An article without its content, which is a separate item. */
export const articleSummary = z
  .strictObject({
    id: recordId,
    title: titled({ zh_CN: '标题', en: 'Title' }, z.string()),
    category: articleCategory,
    cover: titled({ zh_CN: '封面', en: 'Cover', media: 'image' }, mediaUrl()),
    summary: titled({ zh_CN: '摘要', en: 'Summary', type: 'multiline' }, z.string()),
    status: articleStatus,
    version,
    /** Time when it was first enabled. */
    published_at: titled({ zh_CN: '发布时间', en: 'Published' }, z.nullable(z.iso.datetime())),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .register(components, { id: 'ArticleSummary' });
export type ArticleSummary = z.infer<typeof articleSummary>;

type Listed = Pick<ArticleSummary, 'status' | 'category'>;
const sk = ({ id }: { id: string }): string => id;

const row = z.object({ ...articleSummary.shape, category: z.string() });

export const articles = defineEntity({
  row,
  key: ({ id }: { id: string }) => singleKey(`ARTICLE#${id}`),
  indexes: {
    byCreation: { name: 'gsi1', pk: () => 'ARTICLE', sk },
    byCategory: { name: 'gsi2', pk: ({ status, category }: Listed) => `ARTICLE#${status}#${category}`, sk },
    byStatus: { name: 'gsi3', pk: ({ status }: Pick<Listed, 'status'>) => `ARTICLE#${status}`, sk },
  },
  target: 'article',
  // With the content, so that an earlier version is whole.
  revisions: { days: 200, row: z.extend(row, { content: z.string() }) },
  missing: () => articleErrors.create('article.not_found'),
});

/** Articles of a partition, newest first, at most 100. @param range of their IDs */
export async function queryArticles(
  partition: IndexPartition,
  limit: number,
  range: Pick<IndexQuery, 'from' | 'below'> = {},
): Promise<ArticleSummary[]> {
  return (await queryRows(articles, { ...partition, limit, ...range })).rows;
}

const counter: Counter = { shards: 8, key: (shard) => ({ pk: 'COUNTER#ARTICLES', sk: String(shard) }) };

/** The write that counts an article, for the transaction that adds or deletes it. */
export const countArticle = (by: 1 | -1): Write => moveCounter(counter, { total: by });

export async function countArticles(): Promise<number> {
  const [sums] = await readCounters([counter]);
  return sums?.total ?? 0;
}

/** The number of disabled articles, at most `limit`. */
export const countUnpublished = async (limit: number): Promise<number> =>
  (await queryArticles(partitionOf(articles.indexes.byStatus, { status: 'disabled' }), limit)).length;

/** Enabled articles, newest first. @param limit 1 to 100 */
export async function listLatestArticles(limit: number) {
  const found = await queryArticles(partitionOf(articles.indexes.byStatus, { status: 'enabled' }), limit);
  return found.map(({ id, title, category, published_at }) => ({ id, title, category, published_at }));
}

export const writtenKeys: ListWrittenKeys = () => [articles.key({ id: '*' }).pk, counter.key(0).pk];
