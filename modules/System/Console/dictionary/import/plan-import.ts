import { byOrder } from '#shared/dict/order.ts';
import { type Placed, planOrder } from '../move.ts';
import type { ImportItem, ImportLine } from './parse-import.ts';
import { compareItem, type ItemOutcome } from './run-import.ts';

export interface PlannedLine extends ImportLine {
  outcome?: ItemOutcome;
  /** Place among the items that are sent; -1 for a line with faults. */
  index: number;
}

interface StoredItem {
  value: string;
  name: string;
  sort: number;
  status: string;
}

/** What an import of these lines would do. */
export function planImport(lines: readonly ImportLine[], stored: readonly StoredItem[]) {
  const known = new Map(stored.map((item) => [item.value, item]));
  const { items, others } = keepOrder(
    lines.flatMap(({ item }) => item ?? []),
    stored,
  );
  let index = -1;
  const planned = lines.map((line): PlannedLine => {
    const item = line.item && items[++index];
    return item
      ? { ...line, index, outcome: compareItem(item, known.get(item.value)) }
      : { ...line, index: -1 };
  });
  const count = (outcome: ItemOutcome) => planned.filter((line) => line.outcome === outcome).length;
  const given = new Set(items.map(({ value }) => value));
  return {
    lines: planned,
    items,
    /** Stored items that are not listed and get another place number, so that the listed ones have room. */
    others,
    counts: {
      total: lines.length,
      added: count('added'),
      changed: count('changed'),
      same: count('same'),
      faulty: lines.length - items.length,
    },
    /** Stored items that are not listed. */
    missing: stored.filter(({ value }) => !given.has(value)).length,
  };
}

/** A file without a column of the order is an order itself. */
function keepOrder(items: readonly ImportItem[], stored: readonly StoredItem[]) {
  if (items.some(({ sort }) => sort !== undefined)) return { items, others: [] };
  const sorts = new Map(planOrder(placeItems(items, stored)).map(({ value, sort }) => [value, sort]));
  const listed = new Set(items.map(({ value }) => value));
  return {
    items: items.map((item): ImportItem => ({ ...item, ...withSort(sorts.get(item.value)) })),
    others: stored.flatMap(({ value, name }): ImportItem[] => {
      const sort = listed.has(value) ? undefined : sorts.get(value);
      return sort === undefined ? [] : [{ value, name, sort }];
    }),
  };
}
const withSort = (sort: number | undefined) => (sort === undefined ? {} : { sort });

/**
 * The stored items, and those of a file: stored ones change places with each other, a new one stands behind the one that
 * is before it in the file.
 */
function placeItems(items: readonly ImportItem[], stored: readonly StoredItem[]): Placed[] {
  const known = new Map(stored.map((item) => [item.value, item]));
  const runs: Placed[][] = [[]];
  for (const { value } of items) {
    const item = known.get(value);
    if (item) runs.push([item]);
    else runs.at(-1)?.push({ value });
  }
  const [head = [], ...others] = runs;
  const listed = new Set(items.map(({ value }) => value));
  const rest = stored
    .toSorted(byOrder)
    .flatMap((item) => (listed.has(item.value) ? (others.shift() ?? []) : item));
  // New items without one before them stand before the first stored one of the file, else at the end.
  const [first] = runs[1] ?? [];
  return rest.toSpliced(first ? rest.indexOf(first) : rest.length, 0, ...head);
}
