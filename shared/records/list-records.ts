import { partitionOf, toRow } from '#shared/db/entity.ts';
import { type IndexQuery, type Item, type Position, queryIndex } from '#shared/db/items.ts';
import { toCreationRange } from '#shared/db/paging/creation-range.ts';
import { readByCursor } from '#shared/db/paging/cursor.ts';
import { withoutUndefined } from '#shared/db/writes.ts';
import { toSearchTerms } from '#shared/schema/search.ts';
import { type FilterKind, isRange, toSortable } from './filters.ts';
import type { Fields, Row } from './options.ts';
import type { RecordQuery } from './schemas.ts';
import { type StoredKind, searchAttribute } from './stored-kind.ts';

/** Most records that one request reads if no index has exactly what is wanted. */
export const mostEvaluated = 1000;

export interface RecordPage<Row> {
  list: Row[];
  next_cursor: string | null;
  /** The page ended because enough records were read, not because it was full: there may be more. */
  partial?: true;
}

/**
 * A page of records. One index answers it; what this index cannot say is checked for at most {@link mostEvaluated}
 * records, and the cursor goes on from there.
 *
 * @throws AppError `request.invalid` for a wrong cursor
 */
export async function listRecords<F extends Fields>(
  kind: StoredKind<F>,
  query: RecordQuery,
): Promise<RecordPage<Row<F>>> {
  const { cursor, limit, ...limits } = query;
  const wanted: Wanted = withoutUndefined(limits);
  const scope = `${kind.prefix} ${JSON.stringify(Object.entries(wanted).sort())}`;
  const { index, conditions } = choose(kind, wanted);
  let partial = false;
  const page = await readByCursor(cursor, scope, async (start) => {
    const isExact = conditions.length === 0;
    // One more than wanted shows whether there is a next page.
    const { items, last } = await queryIndex({
      ...index,
      limit: isExact ? limit + 1 : mostEvaluated,
      isNewestFirst: kind.order === 'newest',
      start,
      ...(!isExact && { filter: toFilter(conditions) }),
    });
    const isFull = items.length > limit;
    partial = !isFull && last !== undefined && !isExact;
    const kept = items.slice(0, limit);
    return {
      rows: kept.map((item) => toRow(kind.entity, item)),
      last: isFull ? positionOf(index, kept.at(-1)) : partial ? last : undefined,
    };
  });
  return partial ? { ...page, partial } : page;
}

const positionOf = ({ name }: IndexQuery | { name: string }, item: Item | undefined): Position | undefined =>
  item && Object.fromEntries(['pk', 'sk', `${name}pk`, `${name}sk`].map((key) => [key, item[key]]));

interface Condition {
  attribute: string;
  operator: '=' | '>=' | '<=' | '<' | 'contains';
  value: unknown;
}

/** The limits of a list. */
type Wanted = Pick<RecordQuery, 'search' | 'created_from' | 'created_before'>;

/** The index that says most, and the conditions that are left. */
function choose({ entity, filters }: Pick<StoredKind, 'entity' | 'filters'>, wanted: Wanted) {
  const values: Record<string, unknown> = { ...wanted };
  const given = Object.entries(filters).filter(([name, kind]) =>
    isRange(kind)
      ? values[`${name}_from`] !== undefined || values[`${name}_to`] !== undefined
      : values[name] !== undefined,
  );
  // A value limits more than a range does, and keeps the order by creation.
  const [first = ['all', 'value'] as const] = given.toSorted(
    ([, a], [, b]) => Number(isRange(a)) - Number(isRange(b)),
  );
  const [name, kind] = first;
  const isByValue = isRange(kind);
  const range = isByValue
    ? toValueRange(values[`${name}_from`], values[`${name}_to`])
    : toCreationRange(wanted);
  const left = given.filter((each) => each !== first).flatMap((each) => toConditions(each, values));
  const created = isByValue ? toCreationConditions(wanted) : [];
  const terms = wanted.search === undefined ? [] : toSearchTerms(wanted.search);
  const found = terms.map(
    (value): Condition => ({ attribute: searchAttribute, operator: 'contains', value }),
  );
  const declared = entity.indexes?.[name];
  if (!declared) throw new Error(`no index lists by ${name}`);
  const row = { [name]: isByValue ? 'any' : values[name] };
  const index = { ...partitionOf(declared, Object(row)), ...withoutUndefined(range) };
  return { index, conditions: [...left, ...created, ...found] };
}

/** Sort keys of an index by value are `VALUE#ID`. */
const toValueRange = (from: unknown, to: unknown): Pick<IndexQuery, 'from' | 'below'> => ({
  from: from === undefined ? undefined : toSortable(from),
  below: to === undefined ? undefined : `${toSortable(to)}$`,
});

function toConditions(
  [name, kind]: readonly [string, FilterKind],
  values: Record<string, unknown>,
): Condition[] {
  if (!isRange(kind)) return [{ attribute: name, operator: '=', value: values[name] }];
  const limits: [string, Condition['operator']][] = [
    ['from', '>='],
    ['to', '<='],
  ];
  return limits.flatMap(([end, operator]) => {
    const value = values[`${name}_${end}`];
    return value === undefined ? [] : [{ attribute: name, operator, value }];
  });
}

function toCreationConditions({ created_from, created_before }: Wanted): Condition[] {
  const toTime = (time: string) => new Date(time).toISOString();
  return [
    ...(created_from === undefined
      ? []
      : [{ attribute: 'created_at', operator: '>=' as const, value: toTime(created_from) }]),
    ...(created_before === undefined
      ? []
      : [{ attribute: 'created_at', operator: '<' as const, value: toTime(created_before) }]),
  ];
}

function toFilter(conditions: readonly Condition[]): NonNullable<IndexQuery['filter']> {
  const parts = conditions.map(({ attribute, operator }, at) =>
    operator === 'contains' ? `contains(#${attribute}, :f${at})` : `#${attribute} ${operator} :f${at}`,
  );
  return {
    expression: parts.join(' AND '),
    names: Object.fromEntries(conditions.map(({ attribute }) => [`#${attribute}`, attribute])),
    values: Object.fromEntries(conditions.map(({ value }, at) => [`:f${at}`, value])),
  };
}
