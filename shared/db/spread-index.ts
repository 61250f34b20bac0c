import { randomInt } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import {
  getItems,
  type IndexPartition,
  type IndexQuery,
  type Item,
  type Key,
  type Position,
  queryIndex,
  type queryPage,
  singleKey,
  updateItem,
} from './items.ts';
import { withoutJoin } from './joined-writes.ts';
import { type Attributes, changeItem } from './writes.ts';

// Lists that are ordered by creation, because their sort keys are ULIDs.

/** Partitions of a busy index, besides its first one. Each takes 1,000 write units a second. */
export const spreadCount = 8;
/** An index is busy after one process has added this many entries. */
export const busyAfter = 1000;

/** Sorts after every ULID, so the mark of a spread index is the first item of a list, newest first. */
const markSortKey = '~';
const markAttribute = 'is_spread';

/** The item that marks an index as spread. */
const markKey = (pk: string): Key => singleKey(`SPREAD#${pk}`);

const spread = new Map<string, boolean>();
const added = new Map<string, number>();
/** Marks that are being written. */
const marks = new Map<string, Promise<void>>();

/** Whether an item is the mark, which lies among the entries of the first partition. */
export const isSpreadMark = (item: Item): boolean => item[markAttribute] === true;

/** The partitions of a spread index, besides its first one. */
export const listPartitions = (pk: string, count = spreadCount): string[] =>
  Array.from({ length: count }, (_, index) => `${pk}~${index + 1}`);

export const pickPartition = (pk: string, count = spreadCount): string => `${pk}~${randomInt(count) + 1}`;

/** Reads whether indexes are spread: one request, and once for each index in a process. */
export async function learnSpread(indexes: readonly IndexPartition[]): Promise<void> {
  const unknown = indexes.map(({ pk }) => pk).filter((pk) => !spread.has(pk));
  if (unknown.length === 0) return;
  const marks = new Set((await getItems(unknown.map(markKey))).map((mark) => mark.pk));
  for (const pk of unknown) spread.set(pk, marks.has(markKey(pk).pk));
}

/**
 * The partition for a new entry. An index begins with one, which a list reads with one query. A process that adds many
 * entries marks the index as spread, for good; from then on, entries go to one of {@link spreadCount} others.
 *
 * @throws AppError `database.unavailable`
 */
export async function choosePartition(index: IndexPartition): Promise<string> {
  const { name, pk } = index;
  await learnSpread([index]);
  const count = (added.get(pk) ?? 0) + 1;
  added.set(pk, count);
  // Before the first entry in another partition: lists read the others only if there is a mark.
  if (!spread.get(pk) && count >= busyAfter) await markSpread({ name, pk });
  return spread.get(pk) ? pickPartition(pk) : pk;
}

/** The partitions of a new row in indexes that may be spread, for `putRow`. @throws AppError `database.unavailable` */
export async function choosePlaces(indexes: readonly IndexPartition[]): Promise<Attributes> {
  const partitions = await settleAll(indexes.map(choosePartition));
  return Object.fromEntries(indexes.map(({ name }, at) => [`${name}pk`, partitions[at]]));
}

/** Spreads an index at once. Idempotent; callers at the same time share one request. */
export function markSpread(index: IndexPartition): Promise<void> {
  const mark = marks.get(index.pk) ?? writeMark(index).finally(() => marks.delete(index.pk));
  marks.set(index.pk, mark);
  return mark;
}

async function writeMark({ name, pk }: IndexPartition): Promise<void> {
  const set = { [`${name}pk`]: pk, [`${name}sk`]: markSortKey, [markAttribute]: true };
  await withoutJoin(() => updateItem(changeItem(markKey(pk), { set }).Update));
  spread.set(pk, true);
}

/** Forgets the state of every index; for tests. */
export function forgetSpread(): void {
  spread.clear();
  added.clear();
}

/** Entries, newest first. */
export interface NewestPage {
  items: Item[];
  /** The next page begins below this sort key; undefined at the end of the list. */
  last: Position | undefined;
  isSpread: boolean;
}

export interface NewestQuery extends Pick<IndexQuery, 'start' | 'filter'> {
  index: IndexPartition;
  /** Most entries of the page; with a filter, about this many are evaluated. */
  limit: number;
}

/**
 * A page of an index, newest first: one query until the index is spread, and then one more for each partition. Without
 * a filter, it has `limit` entries unless the list ends before.
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

/** The first entries of a page. */
export function cutPage({ name }: IndexPartition, page: NewestPage, limit: number): NewestPage {
  const { items, isSpread } = page;
  if (items.length <= limit) return page;
  const last = toPosition(name, items[limit - 1]?.[`${name}sk`], isSpread);
  return { items: items.slice(0, limit), last, isSpread };
}

type Page = Awaited<ReturnType<typeof queryPage>>;

function readPage({ index: { name }, start, filter }: NewestQuery, pk: string, limit: number): Promise<Page> {
  const after = start?.[`${name}sk`];
  const expression = filter && `${filter.expression} OR attribute_exists(${markAttribute})`;
  return queryIndex({
    ...{ name, pk, limit, below: after === undefined ? undefined : String(after) },
    filter: filter && expression ? { ...filter, expression } : undefined,
  });
}

/** All pages are complete down to the end of the shortest one; entries below it are read again later. */
function mergePages({ name }: IndexPartition, pages: readonly Page[]): NewestPage {
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

export const writtenKeys: ListWrittenKeys = () => [markKey('*').pk];
