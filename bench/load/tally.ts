import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** What became of requests. */
export interface Tally {
  /** Microseconds until an answer, good or not. */
  times: RecordableHistogram;
  /** Wrong answers, by fault. */
  faults: Map<string, number>;
}

export const createTally = (): Tally => ({ times: createHistogram(), faults: new Map() });

/** @param fault why the answer is wrong, if it is */
export function addAnswer({ times, faults }: Tally, durationMs: number, fault?: string): void {
  times.record(Math.max(1, Math.round(durationMs * 1000)));
  if (fault) faults.set(fault, (faults.get(fault) ?? 0) + 1);
}

/** Several as one. */
export function sumTallies(tallies: readonly Tally[]): Tally {
  const sum = createTally();
  for (const { times, faults } of tallies) {
    if (times.count > 0) sum.times.add(times);
    for (const [fault, count] of faults) sum.faults.set(fault, (sum.faults.get(fault) ?? 0) + count);
  }
  return sum;
}

/** One row of the report: rate, percentiles in milliseconds, and what went wrong. */
export function describeTally({ times, faults }: Tally, seconds: number): string[] {
  const toMs = (percentile: number) => (times.count > 0 ? times.percentile(percentile) / 1000 : 0).toFixed(1);
  const wrong = [...faults].map(([fault, count]) => `${fault} ×${count}`).join(', ');
  const rate = (times.count / seconds).toFixed(0);
  return [String(times.count), rate, toMs(50), toMs(99), toMs(99.9), wrong || '–'];
}

/** Rows under a head, numbers to the right, as a table of Markdown. */
export function renderTable(first: string, rows: readonly string[][]): string {
  const head = [first, 'requests', 'per second', 'p50 ms', 'p99 ms', 'p99.9 ms', 'errors'];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const isText = (column: number) => column === 0 || column === head.length - 1;
  const render = (row: readonly string[]) => {
    const cells = widths.map((width, column) => {
      const cell = row[column] ?? '';
      return isText(column) ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${cells.join(' | ')} |`;
  };
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${isText(column) ? '-' : ':'}`).join('|')}|`;
  return [render(head), rule, ...rows.map(render)].join('\n');
}
