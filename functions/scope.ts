import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Imports a file by its absolute path. */
export type Load = <Exports>(file: string) => Promise<Exports>;

/** The context of one discovery. Every part adds the problems that it finds. */
export interface Scope {
  root: string;
  load: Load;
  problems: string[];
  /** Files that cannot be loaded. */
  unloaded: { file: string; reason: string }[];
}

/** What a check finds: broken rules, and warnings for the developer. Each names its file. */
export interface Report {
  problems: string[];
  warnings: string[];
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The faults of a table that apply. */
export const listFaults = (table: Record<string, boolean>): string[] =>
  Object.keys(table).filter((fault) => table[fault]);

/** What a check finds. If a declaration is so odd that the check throws, that is the fault. */
export function findFaults(check: () => string[]): string[] {
  try {
    return check();
  } catch (error) {
    return [`cannot be checked: ${reasonOf(error)}`];
  }
}

/** Adds the faults of a file to the problems. */
export function report({ problems }: Scope, file: string, faults: readonly string[]): void {
  problems.push(...faults.map((fault) => `${file}: ${fault}`));
}

/** Problems for names that are declared twice. Each names the later file and the first one. */
export function findDuplicates(declared: readonly { name: string; file: string }[]): string[] {
  const firstFiles = new Map<string, string>();
  return declared.flatMap(({ name, file }) => {
    const first = firstFiles.get(name);
    firstFiles.set(name, first ?? file);
    return first === undefined ? [] : [`${file}: ${name} is also in ${first}: rename one of them`];
  });
}

/** TypeScript files below a folder, sorted, relative to `base` with `/`. */
export function listFiles(base: string, folder: string): string[] {
  if (!existsSync(join(base, folder))) return [];
  return readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.split(sep).join('/')}`)
    .sort();
}

/** The result of a step. If it throws, adds a problem and returns undefined. */
export async function attempt<T>(
  { problems }: Scope,
  problem: string,
  step: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    problems.push(`${problem}: ${reasonOf(error)}`);
    return undefined;
  }
}

/** All exports of a file. If it cannot be loaded, adds it to `unloaded` and returns undefined. */
export async function importAll<Exports>(
  { load, root, unloaded }: Scope,
  file: string,
): Promise<Exports | undefined> {
  try {
    return await load<Exports>(join(root, file));
  } catch (error) {
    unloaded.push({ file, reason: reasonOf(error) });
    return undefined;
  }
}

/** Problems for files that cannot be loaded: one for each reason, because many files may import the same bad one. */
export const describeUnloaded = ({ unloaded }: Scope): string[] =>
  [...Map.groupBy(unloaded, ({ reason }) => reason)].map(([reason, [first, ...others]]) => {
    const more = others.length > 0 ? `, nor ${others.length} more` : '';
    return `${first?.file} cannot be loaded${more}: ${reason}`;
  });

/** The default export of a file. Adds a problem and returns undefined if it is missing. */
export async function importDefault<T>(scope: Scope, file: string): Promise<T | undefined> {
  const loaded = await importAll<{ default?: T }>(scope, file);
  if (loaded && !loaded.default) {
    scope.problems.push(`${file} has no default export: export default what it declares`);
  }
  return loaded?.default;
}
