import { randomInt } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
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
import { type Attributes, changeItem } from './writes.ts';

// Lists that are ordered by creation, because their sort keys are ULIDs.

/** Partitions of a busy index, besides the one that it begins with. Each takes 1,000 write units a second. */
export const spreadCount = 8;
/** Entries that one process adds before it takes an index for busy. */
export const busyAfter = 1000;

/** After every ULID: the mark of a spread index is the first item of a list that runs newest first. */
const markSortKey = '~';
const markAttribute = 'is_spread';

/** The item that says that an index has more than one partition. */
const markKey = (pk: string): Key => singleKey(`SPREAD#${pk}`);

const spread = new Map<string, boolean>();
const added = new Map<string, number>();

/** True for the mark itself, which lies among the entries of the first partition. */
export const isSpreadMark = (item: Item): boolean => item[markAttribute] === true;

/** The partitions of a spread index, besides the one that it began with. */
export const listPartitions = (pk: string, count = spreadCount): string[] =>
  Array.from({ length: count }, (_, index) => `${pk}~${index + 1}`);

export const pickPartition = (pk: string, count = spreadCount): string => `${pk}~${randomInt(count) + 1}`;

/** Reads whether indexes are spread, once in a process and in one request. */
export async function learnSpread(indexes: readonly IndexPartition[]): Promise<void> {
  const unknown = indexes.map(({ pk }) => pk).filter((pk) => !spread.has(pk));
  if (unknown.length === 0) return;
  const marks = new Set((await getItems(unknown.map(markKey))).map((mark) => mark.pk));
  for (const pk of unknown) spread.set(pk, marks.has(markKey(pk).pk));
}

/**
 * The partition for a new entry. An index begins with one partition, which a list reads with one query. A process
 * that adds many entries marks the index as spread, and from then on entries go to one of {@link spreadCount}
 * others. The mark is permanent.
 *
 * @throws AppError `database.unavailable`
 */
export async function choosePartition(index: IndexPartition): Promise<string> {
  const { name, pk } = index;
  await learnSpread([index]);
  const count = (added.get(pk) ?? 0) + 1;
  added.set(pk, count);
  // The mark is written before the first entry that only a marked list shows.
  if (!spread.get(pk) && count >= busyAfter) await markSpread({ name, pk });
  return spread.get(pk) ? pickPartition(pk) : pk;
}

/** Where a new row lies in indexes that may be spread, for `putRow`. @throws AppError `database.unavailable` */
export async function choosePlaces(indexes: readonly IndexPartition[]): Promise<Attributes> {
  const partitions = await settleAll(indexes.map(choosePartition));
  return Object.fromEntries(indexes.map(({ name }, at) => [`${name}pk`, partitions[at]]));
}

/** Spreads an index at once. May be repeated. */
export async function markSpread({ name, pk }: IndexPartition): Promise<void> {
  const set = { [`${name}pk`]: pk, [`${name}sk`]: markSortKey, [markAttribute]: true };
  await updateItem(changeItem(markKey(pk), { set }).Update);
  spread.set(pk, true);
}

/** Forgets what this process knows of every index, as a new process does; for tests. */
export function forgetSpread(): void {
  spread.clear();
  added.clear();
}

/** Entries, newest first, and where the list goes on; undefined at its end. */
export interface NewestPage {
  items: Item[];
  /** Below a sort key, in all partitions if the list is known to be spread. */
  last: Position | undefined;
  isSpread: boolean;
}

export interface NewestQuery extends Pick<IndexQuery, 'start' | 'filter'> {
  index: IndexPartition;
  /** Most entries of the page; with a filter, about so many are evaluated. */
  limit: number;
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

/** The pages are complete down to where the one that was read least far ends; the rest is read again. */
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
