import { join } from 'node:path';

/** The used part of rolldown's graph of modules. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

const entry = join(import.meta.dirname, 'shell', 'main.ts');
const home = join(import.meta.dirname, 'shell', 'home', 'home-page.vue');
const chart = join(import.meta.dirname, 'shell', 'home', 'usage-chart.vue');
/** The start page loads it when it is shown. */
const latestEntries = join(import.meta.dirname, 'kit', 'records', 'audit-entries.vue');
const reached = new Map<string, WeakMap<ModuleGraph, Set<string>>>();

/**
 * Puts everything that the entry imports, directly or not, into one file, because a request takes longer than its bytes.
 * By itself, rolldown makes a file for each set of pages that share modules.
 */
export const firstLoad = {
  debugName: 'first',
  name: (id: string, graph: ModuleGraph): string | null => (reach(entry, graph).has(id) ? 'first' : null),
};

/** The console's own small parts that the start page shows, in one file for the same reason. */
export const startPage = {
  debugName: 'start',
  name(id: string, graph: ModuleGraph): string | null {
    const isOwn = id.startsWith(import.meta.dirname) && !id.startsWith(latestEntries);
    if (id.startsWith(`${chart}?`) && id.includes('type=style')) return 'start';
    return isOwn && [home, latestEntries].some((from) => reach(from, graph).has(id)) ? 'start' : null;
  },
};

/** A directive, which no file imports by its style. */
const loading = /[\\/]element-plus[\\/]es[\\/]components[\\/]loading[\\/]/;

/** The table that the start page shows, and most pages too. */
export const tables = {
  debugName: 'tables',
  name: (id: string, graph: ModuleGraph): string | null =>
    loading.test(id) || reach(latestEntries, graph).has(id) ? 'tables' : null,
};

/** Everything that a file imports, directly or not. */
function reach(from: string, graph: ModuleGraph): Set<string> {
  const known = reached.get(from) ?? new WeakMap<ModuleGraph, Set<string>>();
  reached.set(from, known);
  const found = known.get(graph) ?? new Set([from]);
  if (known.has(graph)) return found;
  known.set(graph, found);
  for (const id of found) for (const each of listImports(id, graph)) found.add(each);
  return found;
}

/** Files of Element Plus that import all its components. */
const barrel = /[\\/]element-plus[\\/]es[\\/](index|defaults|component|components[\\/]index)\.mjs$/;
/** A style, which `unplugin-element-plus` imports beside each component that a file names. */
const style = /([\\/]element-plus[\\/]es[\\/]components[\\/][\w-]+[\\/])style[\\/]css\.mjs$/;

/** What a module imports. A component is found by its style. */
function listImports(id: string, graph: ModuleGraph): readonly string[] {
  if (barrel.test(id)) return [];
  const imported = graph.getModuleInfo(id)?.importedIds ?? [];
  return style.test(id) ? [...imported, id.replace(style, '$1index.mjs')] : imported;
}
