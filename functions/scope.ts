import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Imports a file by its absolute path. */
export type Load = <Exports>(file: string) => Promise<Exports>;

/** What every part of a discovery needs. */
export interface Scope {
  root: string;
  load: Load;
  problems: string[];
}

/** TypeScript files below a folder, sorted, relative to `base` with `/`. */
export function listFiles(base: string, folder: string): string[] {
  if (!existsSync(join(base, folder))) return [];
  return readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.split(sep).join('/')}`)
    .sort();
}

/** What a file exports; if it cannot be loaded, undefined, and a problem is added. */
export async function importAll<Exports>(scope: Scope, file: string): Promise<Exports | undefined> {
  try {
    return await scope.load<Exports>(join(scope.root, file));
  } catch (error) {
    scope.problems.push(
      `${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
    );
    return undefined;
  }
}

/** The default export of a file; if there is none, undefined, and a problem is added. */
export async function importDefault<T>(scope: Scope, file: string): Promise<T | undefined> {
  const loaded = await importAll<{ default?: T }>(scope, file);
  if (loaded && !loaded.default) {
    scope.problems.push(`${file} has no default export: export default what it declares`);
  }
  return loaded?.default;
}
