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
  const items: ImportItem[] = [];
  const planned = lines.map((line): PlannedLine => {
    if (!line.item) return { ...line, index: -1 };
    items.push(line.item);
    return { ...line, index: items.length - 1, outcome: compareItem(line.item, known.get(line.item.value)) };
  });
  const count = (outcome: ItemOutcome) => planned.filter((line) => line.outcome === outcome).length;
  const given = new Set(items.map(({ value }) => value));
  return {
    lines: planned,
    items,
    counts: {
      total: lines.length,
      ...{ added: count('added'), changed: count('changed'), same: count('same') },
      faulty: lines.length - items.length,
    },
    /** Stored items that are not listed. */
    missing: stored.filter(({ value }) => !given.has(value)).length,
  };
}
