import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatBudget, parseBudget } from './budget.ts';
import type { Budgets } from './compare-budgets.ts';

/** Round trips one after another of a request, with everything cached and with nothing. */
export interface RoundTrips {
  hit: number;
  miss: number;
}

/** What is recorded of every function, and of those that `npm run bench` measures. */
interface BudgetFile {
  /** `start/all` in bytes, then the same of each package or folder in the bundle. */
  bundles: Record<string, string>;
  roundTrips: Record<string, RoundTrips>;
}

const toPath = (root: string): string => join(root, 'bench', 'budgets.json');
const read = (root: string): BudgetFile => JSON.parse(readFileSync(toPath(root), 'utf8'));

/** Recorded round trips by the name of the function. */
export const readRoundTrips = (root: string): BudgetFile['roundTrips'] => read(root).roundTrips;

/** Recorded bundles by the name of the function. */
export function readBudgets(root: string): Budgets {
  return new Map(Object.entries(read(root).bundles).map(([name, line]) => [name, parseBudget(line)]));
}

/** Records what the bundles weigh now; round trips stay as they are. */
export function writeBudgets(root: string, measured: Budgets): void {
  const sorted = [...measured].sort(([a], [b]) => a.localeCompare(b));
  const bundles = Object.fromEntries(sorted.map(([name, budget]) => [name, formatBudget(budget)]));
  const file: BudgetFile = { bundles, roundTrips: readRoundTrips(root) };
  writeFileSync(toPath(root), `${renderFile(file)}\n`);
}

/** A function a line, as Biome formats it. */
function renderFile({ bundles, roundTrips }: BudgetFile): string {
  const lines = (entries: object, render: (value: unknown) => string) =>
    Object.entries(entries)
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${render(value)}`)
      .join(',\n');
  const trips = (value: unknown) =>
    JSON.stringify(value)
      .replace(/([{:,])/g, '$1 ')
      .replace('}', ' }');
  return [
    '{',
    `  "bundles": {\n${lines(bundles, JSON.stringify)}\n  },`,
    `  "roundTrips": {\n${lines(roundTrips, trips)}\n  }`,
    '}',
  ].join('\n');
}
