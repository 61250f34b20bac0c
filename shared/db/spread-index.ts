import { randomInt } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import { getItems, type Item, queryPage, updateItem } from './items.ts';
import { keys } from './keys.ts';

/** An index whose entries are ordered by their creation: the sort keys are ULIDs. */
export interface CreationIndex {
  name: 'gsi1' | 'gsi2' | 'gsi3';
  pk: string;
}

/** Partitions of a busy index, besides the one that it begins with. Each takes 1,000 write units a second. */
export const spreadCount = 8;
/** Entries that one process adds before it takes an index for busy. */
export const busyAfter = 1000;

/** After every ULID: the mark of a spread index is the first item of a list that runs newest first. */
const markSortKey = '~';
const markAttribute = 'is_spread';

const spread = new Map<string, boolean>();
const added = new Map<string, number>();

/** True for the mark itself, which lies among the entries of the first partition. */
export const isSpreadMark = (item: Item): boolean => item[markAttribute] === true;

/** The partitions of a spread index, besides the one that it began with. */
export const listPartitions = (pk: string, count = spreadCount): string[] =>
  Array.from({ length: count }, (_, index) => `${pk}~${index + 1}`);

export const pickPartition = (pk: string, count = spreadCount): string => `${pk}~${randomInt(count) + 1}`;

/** Reads whether indexes are spread, once in a process and in one request. */
export async function learnSpread(indexes: readonly CreationIndex[]): Promise<void> {
  const unknown = indexes.map(({ pk }) => pk).filter((pk) => !spread.has(pk));
  if (unknown.length === 0) return;
  const marks = await getItems(unknown.map(keys.spreadIndex));
  for (const pk of unknown)
    spread.set(
      pk,
      marks.some((mark) => mark.pk === keys.spreadIndex(pk).pk),
    );
}

/**
 * The partition for a new entry. An index begins with one partition, which a list reads with one query. A process
 * that adds many entries marks the index as spread, and from then on entries go to one of {@link spreadCount}
 * others. The mark is permanent.
 *
 * @throws AppError `database.unavailable`
 */
export async function choosePartition(index: CreationIndex): Promise<string> {
  const { name, pk } = index;
  await learnSpread([index]);
  const count = (added.get(pk) ?? 0) + 1;
  added.set(pk, count);
  // The mark is written before the first entry that only a marked list shows.
  if (!spread.get(pk) && count >= busyAfter) await markSpread({ name, pk });
  return spread.get(pk) ? pickPartition(pk) : pk;
}

/** Spreads an index at once. May be repeated. */
export async function markSpread({ name, pk }: CreationIndex): Promise<void> {
  await updateItem({
    Key: { ...keys.spreadIndex(pk) },
    UpdateExpression: `SET ${name}pk = :pk, ${name}sk = :sk, ${markAttribute} = :true`,
    ExpressionAttributeValues: { ':pk': pk, ':sk': markSortKey, ':true': true },
  });
  spread.set(pk, true);
}

/** Forgets what this process knows of every index, as a new process does; for tests. */
export function forgetSpread(): void {
  spread.clear();
  added.clear();
}

/** Where a list goes on: below a sort key, in all partitions if the list is known to be spread. */
export type Position = Record<string, unknown>;

/** Entries, newest first, and where the list goes on; undefined at its end. */
export interface NewestPage {
  items: Item[];
  last: Position | undefined;
  isSpread: boolean;
}

export interface NewestQuery {
  index: CreationIndex;
  /** Most entries of the page; with a filter, about so many are evaluated. */
  limit: number;
  start?: Position;
  /** An expression over attributes that are no keys. */
  filter?: { expression: string; values: Record<string, unknown> };
}

/**
 * A page of an index, newest first: one query until the index is spread, and then one more for each partition.
 *
 * @returns without a filter, `limit` entries unless the list ends before
 */
export async function readNewest(query: NewestQuery): Promise<NewestPage> {
  const { index, limit, start, filter } = query;
  if (start?.[markAttribute] !== true) {
    const page = await readPage(query, index.pk, limit);
    if (!page.items.some(isSpreadMark)) return mergePages(index, [page]);
    return readNewest({ ...query, start: toPosition(index.name, markSortKey, true) });
  }
  const partitions = [index.pk, ...listPartitions(index.pk)];
  const each = filter ? Math.ceil(limit / partitions.length) : limit;
  const page = mergePages(index, await settleAll(partitions.map((pk) => readPage(query, pk, each))));
  return filter ? page : cutPage(index, page, limit);
}

/** The first entries of a page, and where the list goes on after them. */
export function cutPage({ name }: CreationIndex, page: NewestPage, limit: number): NewestPage {
  const { items, isSpread } = page;
  if (items.length <= limit) return page;
  const last = toPosition(name, items[limit - 1]?.[`${name}sk`], isSpread);
  return { items: items.slice(0, limit), last, isSpread };
}

type Page = Awaited<ReturnType<typeof queryPage>>;

function readPage({ index: { name }, start, filter }: NewestQuery, pk: string, limit: number): Promise<Page> {
  const after = start?.[`${name}sk`];
  return queryPage({
    IndexName: name,
    KeyConditionExpression: `${name}pk = :pk${after === undefined ? '' : ` AND ${name}sk < :after`}`,
    ...(filter && { FilterExpression: `${filter.expression} OR attribute_exists(${markAttribute})` }),
    ExpressionAttributeValues: {
      ':pk': pk,
      ...filter?.values,
      ...(after !== undefined && { ':after': after }),
    },
    ScanIndexForward: false,
    Limit: limit,
  });
}

/** The pages are complete down to where the one that was read least far ends; the rest is read again. */
function mergePages({ name }: CreationIndex, pages: readonly Page[]): NewestPage {
  const isSpread = pages.length > 1;
  const keyOf = (item: Item): string => String(item[`${name}sk`]);
  const ends = pages.flatMap(({ last }) => (last ? [keyOf(last)] : []));
  const end = ends.sort().at(-1);
  const items = pages
    .flatMap((page) => page.items)
    .filter((item) => !isSpreadMark(item) && (end === undefined || keyOf(item) >= end))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  return { items, last: end === undefined ? undefined : toPosition(name, end, isSpread), isSpread };
}

const toPosition = (name: string, sortKey: unknown, isSpread: boolean): Position => ({
  [`${name}sk`]: sortKey,
  ...(isSpread && { [markAttribute]: true }),
});
