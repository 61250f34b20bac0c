import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Budget, formatBudget, parseBudget } from './budget.ts';

/** Budgets by the name of the function. */
export type Budgets = ReadonlyMap<string, Budget>;

/** How a request travels in a process that is warm, with everything cached and with nothing. */
export interface RoundTrips {
  /** Round trips that follow one another. */
  hit: number;
  miss: number;
  /** Requests to both stores, in all. */
  hitRequests: number;
  missRequests: number;
}

/** What is recorded of every function. */
interface BudgetFile {
  /** `start/all` in bytes, then the same of each package or folder in the bundle. */
  bundles: Record<string, string>;
  /** By the name of the function; another way to ask it adds a word after a space. */
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
  write(root, { bundles, roundTrips: readRoundTrips(root) });
}

/** Records how functions travel now; bundles stay as they are. */
export function writeRoundTrips(root: string, measured: BudgetFile['roundTrips']): void {
  const sorted = Object.entries(measured).sort(([a], [b]) => a.localeCompare(b));
  write(root, { bundles: read(root).bundles, roundTrips: Object.fromEntries(sorted) });
}

/** Writes a line for each function, as Biome formats it. */
function write(root: string, file: BudgetFile): void {
  const text = JSON.stringify(file, null, 2).replace(/(?<=: )\{\n +("hit"[^}]*?)\n +\}/g, (_, trips) => {
    return `{ ${trips.replace(/\n +/g, ' ')} }`;
  });
  writeFileSync(toPath(root), `${text}\n`);
}
