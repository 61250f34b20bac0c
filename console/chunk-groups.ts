import { join } from 'node:path';

/** The used part of what rolldown tells about the modules. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** What an operator sees first: the login, the shell and the start page. */
const firstPages = [
  'src/main.ts',
  'src/login-page.vue',
  'src/page-shell.vue',
  'src/page-view.vue',
  'pages/home-page.vue',
].map((file) => join(import.meta.dirname, file));

/** One file for all modules of the first pages, because requests take longer than bytes; and one for each locale. */
export const chunkGroups = [
  {
    name: 'zh_CN',
    test: /[\\/]src[\\/]lang[\\/]zh_CN\.json$|[\\/]locale[\\/]lang[\\/]zh-cn\.mjs$/,
    priority: 2,
  },
  { name: 'en', test: /[\\/]src[\\/]lang[\\/]en\.json$|[\\/]locale[\\/]lang[\\/]en\.mjs$/, priority: 2 },
  {
    name: (id: string, graph: ModuleGraph) => (isInFirstLoad(id, graph) ? 'first' : null),
    priority: 1,
  },
];

const reached = new WeakMap<ModuleGraph, Set<string>>();

/** Whether the first pages import a module, directly or not. */
function isInFirstLoad(id: string, graph: ModuleGraph): boolean {
  const known = reached.get(graph) ?? collect(graph);
  reached.set(graph, known);
  return known.has(id);
}

function collect(graph: ModuleGraph): Set<string> {
  const found = new Set(firstPages);
  for (const id of found) for (const each of graph.getModuleInfo(id)?.importedIds ?? []) found.add(each);
  return found;
}
