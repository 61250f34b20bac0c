import { renderTable } from '../report/table.ts';
import type { Growth } from './measure-growth.ts';
import type { Reads } from './reads.ts';

/** The reads as Markdown. */
export function renderGrowth(results: readonly Growth[]): string {
  const table = renderTable([
    ['', 'items', 'few, nothing cached', 'many, nothing cached', 'few, all cached', 'many, all cached'],
    ...results.map(({ name, few, many }) => [
      name,
      `${few.count} → ${many.count}`,
      ...[few.miss, many.miss, few.hit, many.hit].map(toText),
    ]),
  ]);
  return `Requests / items / capacity units that one request reads.\n\n${table}`;
}

/** Requests that read too much with many items, each in one line. */
export function listUnbounded(results: readonly Growth[]): string[] {
  return results.flatMap(({ name, bound, few, many }) => {
    const cached = { state: 'cached', before: few.hit, after: many.hit };
    const uncached = { state: 'not cached', before: few.miss, after: many.miss };
    return (bound === 'cached' ? [cached] : [cached, uncached]).flatMap(({ state, before, after }) => {
      const most = typeof bound === 'number' ? before.items + bound : before.items;
      if (after.items <= most) return [];
      return [`${name}, ${state}: ${after.items} items with ${many.count} in the table, at most ${most}`];
    });
  });
}

const toText = ({ requests, items, capacity }: Reads): string => `${requests} / ${items} / ${capacity}`;
