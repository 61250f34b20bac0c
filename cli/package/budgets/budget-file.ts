import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Sequential round trips of a warm request, and all its requests to both stores. `hit` is with everything cached,
 * `miss` with nothing.
 */
export interface RoundTrips {
  hit: number;
  miss: number;
  hitRequests: number;
  missRequests: number;
}

/** `bench/budgets.json`. */
interface BudgetFile {
  /** By function name: `start/all` in bytes, then the same of each package or folder in the bundle. */
  bundles: Record<string, string>;
  /** By function name; a word after a space names a variant of the request. */
  roundTrips: Record<string, RoundTrips>;
}

/** The longest line that Biome leaves whole, in characters: the `lineWidth` of `biome.json`. */
const LINE_WIDTH = 110;

const toPath = (root: string): string => join(root, 'bench', 'budgets.json');

export const readBudgetFile = (root: string): BudgetFile => JSON.parse(readFileSync(toPath(root), 'utf8'));

/** Writes one line for each function that fits, sorted by name, as Biome formats it. */
export function writeBudgetFile(root: string, { bundles, roundTrips }: BudgetFile): void {
  const sorted = { bundles: sortByName(bundles), roundTrips: sortByName(roundTrips) };
  const entries = /^( +".*": \{)\n +("hit"[^}]*?)\n +(\},?)/gm;
  const text = JSON.stringify(sorted, null, 2).replace(
    entries,
    (entry, start: string, trips: string, end: string) => {
      const line = `${start} ${trips.replace(/\n +/g, ' ')} ${end}`;
      return line.length > LINE_WIDTH ? entry : line;
    },
  );
  writeFileSync(toPath(root), `${text}\n`);
}

const sortByName = <T>(entries: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => a.localeCompare(b)));
