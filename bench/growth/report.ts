import type { Growth } from './measure-growth.ts';
import type { Reads } from './reads.ts';

/** The reads as people read them. */
export function renderGrowth(results: readonly Growth[]): string {
  return [
    'Reads of one request by items in the table: requests / items / capacity units',
    row('', ['', 'nothing cached', '', 'all cached', '']),
    ...results.map(({ name, few, many }) =>
      row(name, [
        `${few.count} → ${many.count}`,
        toText(few.miss),
        toText(many.miss),
        toText(few.hit),
        toText(many.hit),
      ]),
    ),
  ].join('\n');
}

/** What reads more with many items than it may, each in one line. */
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

function row(title: string, [sizes = '', ...cells]: string[]): string {
  return `  ${title.padEnd(30)}${sizes.padEnd(16)}${cells.map((cell) => cell.padEnd(18)).join('')}`.trimEnd();
}
