import { join } from 'node:path';

/** The used part of rolldown's graph of modules. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

const entry = join(import.meta.dirname, 'shell', 'main.ts');
const frame = join(import.meta.dirname, 'shell', 'frame.ts');
const homePage = join(import.meta.dirname, 'shell', 'home', 'home-page.vue');
const chart = join(import.meta.dirname, 'shell', 'home', 'usage-chart.vue');
const reached = new Map<string, WeakMap<ModuleGraph, Set<string>>>();

/**
 * Puts everything that the entry imports, directly or not, into one file, because a request takes longer than its bytes.
 * By itself, rolldown makes a file for each set of pages that share modules.
 */
export const firstLoad = {
  debugName: 'first',
  name: (id: string, graph: ModuleGraph): string | null => (reach(entry, graph).has(id) ? 'first' : null),
};

/** What stands around all pages. The login form is shown without it. */
export const pageFrame = {
  debugName: 'frame',
  name: (id: string, graph: ModuleGraph): string | null => (reach(frame, graph).has(id) ? 'frame' : null),
};

/** A directive, which no file imports by its style. */
const loading = /[\\/]element-plus[\\/]es[\\/]components[\\/]loading[\\/]/;

/** What the start page shows with its panels, in one file for the same reason. The chart is loaded after it. */
export const startPage = {
  debugName: 'start',
  name(id: string, graph: ModuleGraph): string | null {
    const isStyleOfChart = id.startsWith(`${chart}?`) && id.includes('type=style');
    return isStyleOfChart || loading.test(id) || reach(homePage, graph).has(id) ? 'start' : null;
  },
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
