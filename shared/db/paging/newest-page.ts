import { settleAll } from '#shared/async/settle-all.ts';
import { type IndexPartition, type IndexQuery, type Item, type Position, queryIndex } from '../items.ts';
import { isSpreadMark, listPartitions, markSortKey, orMark } from './spread-index.ts';

export interface NewestQuery extends Pick<IndexQuery, 'filter' | 'from' | 'below'> {
  index: IndexPartition;
  /** Most entries of the page. */
  limit: number;
  /** Leaves out entries that were read. */
  matches?(item: Item): boolean;
  /** With a filter or `matches`, about this many entries are evaluated. @default `limit` */
  evaluated?: number;
  /** `last` of the page before. */
  start?: Position;
}

export interface NewestPage {
  /** Newest first. */
  items: Item[];
  /** The end of the page; undefined at the end of the list. */
  last: Position | undefined;
}

/**
 * A page of an index by creation, newest first: one query until the index is spread, and then one more for each
 * partition. Without a filter, it has `limit` entries unless the list ends before.
 */
export async function readNewest(query: NewestQuery): Promise<NewestPage> {
  const { index, limit, evaluated = limit, filter, matches } = query;
  const start = readPosition(query);
  if (!start.isSpread) {
    const [page, mark] = await settleAll([
      readPartition(query, index.pk, start.below, evaluated),
      // The first page of a list that begins below the mark.
      !query.start && start.below !== undefined
        ? queryIndex({ ...index, equals: markSortKey, limit: 1 })
        : undefined,
    ]);
    const isMarked = page.items.some(isSpreadMark) || mark?.items.some(isSpreadMark);
    if (!isMarked) return cut(query, { ...page, isSpread: false });
    start.below ??= markSortKey;
  }
  const partitions = [index.pk, ...listPartitions(index.pk)];
  const each = filter || matches ? Math.ceil(evaluated / partitions.length) : limit;
  const pages = await settleAll(partitions.map((pk) => readPartition(query, pk, start.below, each)));
  return cut(query, merge(index, pages));
}

/** Entries of one partition, newest first. */
interface Part {
  items: Item[];
  /** Entries below this sort key were not read; undefined at the end of the partition. */
  end: string | undefined;
}

async function readPartition(
  { index, filter, from }: NewestQuery,
  pk: string,
  below: string | undefined,
  limit: number,
): Promise<Part> {
  const passing = filter && { ...filter, expression: orMark(filter.expression) };
  const { items, last } = await queryIndex({ name: index.name, pk, limit, from, below, filter: passing });
  return { items, end: last && sortKeyOf(index, last) };
}

/**
 * Entries of several partitions are complete down to the end of the one that was read least far. The next page reads
 * those below it again.
 */
function merge(index: IndexPartition, parts: readonly Part[]): Part & { isSpread: true } {
  const end = parts
    .flatMap((part) => part.end ?? [])
    .sort()
    .at(-1);
  const items = parts
    .flatMap((part) => part.items)
    .filter((item) => end === undefined || sortKeyOf(index, item) >= end)
    .sort((a, b) => (sortKeyOf(index, a) < sortKeyOf(index, b) ? 1 : -1));
  return { items, end, isSpread: true };
}

/** The first entries as a page. */
function cut(
  { index, limit, matches = () => true }: NewestQuery,
  part: Part & { isSpread: boolean },
): NewestPage {
  const items = part.items.filter(matches);
  const last = items[limit - 1];
  const end = items.length > limit && last ? sortKeyOf(index, last) : part.end;
  return { items: items.slice(0, limit), last: toPosition(index, end, part.isSpread) };
}

const sortKeyOf = ({ name }: IndexPartition, item: Item | Position): string => String(item[`${name}sk`]);

// Positions are in the cursors of clients.

function toPosition(
  { name }: IndexPartition,
  end: string | undefined,
  isSpread: boolean,
): Position | undefined {
  if (end === undefined) return undefined;
  return { [`${name}sk`]: end, ...(isSpread && { is_spread: true }) };
}

function readPosition({ index, start, below }: NewestQuery): { below?: string; isSpread: boolean } {
  if (!start) return { below, isSpread: false };
  return { below: sortKeyOf(index, start), isSpread: start.is_spread === true };
}
