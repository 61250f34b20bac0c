import { posix } from 'node:path';
import { type ImportFound, readImports, readsEnvironment } from './read-imports.ts';

/** Source texts by path from the project's root, with `/`. */
export type Sources = Record<string, string>;

/** An import whose target is a file of the project. */
interface Edge extends ImportFound {
  from: string;
  to: string;
}

/** Which top folders each top folder may import (architecture, "Who may import whom"). */
const allowedAreas: Record<string, readonly string[]> = {
  shared: ['shared'],
  modules: ['shared', 'modules'],
  functions: ['shared', 'modules', 'functions', ''],
  cli: ['shared', 'modules', 'functions', 'cli', ''],
  console: ['shared', 'console'],
};
/** Pages of modules run in the browser. */
const pageFolder = /^modules\/[^/]+\/Console\//;
/** The folders of `console/`, lowest first; files of no folder build it. */
const floors = ['base', 'fields', 'kit', 'pages', 'shell', ''];
/** Those that pages of modules may know. */
const openFloors = ['base', 'fields', 'kit', 'pages'];

/** The folders of `shared/`, lowest layer first. */
const layers: readonly (readonly string[])[] = [
  ['async', 'errors', 'config', 'log', 'crypto', 'schema'],
  ['i18n', 'net'],
  ['db', 'cache'],
  ['auth', 'throttle', 'dict', 'settings', 'media', 'module'],
  ['audit'],
  ['storage', 'tools', 'stream', 'jobs'],
  ['http'],
  ['records'],
];
/** Folders of one layer that may import each other; cycles between files stay forbidden. */
const neighbours = ['errors', 'config', 'log', 'crypto'];

/** Packages that one file of `shared/` wraps for all others. */
const vendors =
  /^(?:@aws-sdk\/|@smithy\/|@upstash\/|@modelcontextprotocol\/|openai$|ali-oss$|cos-nodejs-sdk-v5$|qiniu$)/;
/** Packages that only the HTTP side may know. */
const httpPackages = /^(?:@middy\/|aws-lambda$)/;

/** All imports that break the rules; empty if none does. */
export function checkImports(sources: Sources): string[] {
  const files = Object.keys(sources).sort();
  const imports = files.flatMap((from) =>
    readImports(sources[from] ?? '').map((found) => ({ ...found, from })),
  );
  const edges: Edge[] = imports.flatMap((found) => {
    const to = resolveImport(found.from, found.specifier);
    return to === undefined ? [] : [{ ...found, to }];
  });
  return [
    ...edges.flatMap((edge) => [
      checkArea(edge),
      checkModule(edge, sources),
      checkLayer(edge),
      checkFloor(edge),
    ]),
    ...imports.map(checkHttpPackage),
    ...checkVendors(imports),
    ...files.map((file) => checkEnvironment(file, sources[file] ?? '')),
    ...findCycles(files, edges),
  ].filter((problem) => problem !== undefined);
}

/** Where an import leads within the project, undefined for a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return posix.normalize(specifier.slice(1));
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
}

const areaOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : '');
const isBrowserFile = (file: string): boolean => areaOf(file) === 'console' || pageFolder.test(file);
const folderOf = (file: string): string => file.split('/')[1] ?? '';

function checkArea({ from, to, isTypeOnly }: Edge): string | undefined {
  if (pageFolder.test(to) && !pageFolder.test(from)) return `${from} imports ${to}: only pages know pages`;
  if (allowedAreas[areaOf(from)]?.includes(areaOf(to))) return undefined;
  const isPage = pageFolder.test(from);
  if (isPage && areaOf(to) === 'console') {
    const floor = floorOf(to);
    return openFloors.includes(floor)
      ? undefined
      : `${from} imports ${to}: console/${floor} is not for pages`;
  }
  if ((isPage || areaOf(from) === 'console') && isForBrowsers(to, isTypeOnly)) return undefined;
  return `${from} imports ${to}: ${areaOf(from)}/ may not know ${areaOf(to) || 'files of the root'}`;
}

/** The generated client, and the types of the console's description. */
const isForBrowsers = (file: string, isTypeOnly: boolean): boolean =>
  file === 'build/console/api.ts' || (file === 'functions/console/description.ts' && isTypeOnly);

const floorOf = (file: string): string => (file.split('/').length > 2 ? folderOf(file) : '');

function checkFloor({ from, to }: Edge): string | undefined {
  if (areaOf(from) !== 'console' || areaOf(to) !== 'console') return undefined;
  const [upper, lower] = [floorOf(from), floorOf(to)];
  const unknown = [upper, lower].find((floor) => !floors.includes(floor));
  if (unknown !== undefined)
    return `${from} imports ${to}: console/${unknown} has no floor, give it one here`;
  if (floors.indexOf(lower) <= floors.indexOf(upper)) return undefined;
  return `${from} imports ${to}: console/${lower} is not below console/${upper}`;
}

/** A module imports only `public/` files of another module, and only if its manifest requires that module. */
function checkModule({ from, to }: Edge, sources: Sources): string | undefined {
  const [own, other] = [folderOf(from), folderOf(to)];
  if (areaOf(from) !== 'modules' || areaOf(to) !== 'modules' || own === other) return undefined;
  if (!to.startsWith(`modules/${other}/public/`))
    return `${from} imports ${to}: import modules/${other}/public/`;
  const [, required = ''] = /requires: \[([^\]]*)\]/.exec(sources[`modules/${own}/module.ts`] ?? '') ?? [];
  if (required.includes(`'${other}'`)) return undefined;
  return `${from} imports ${to}: modules/${own}/module.ts does not require ${other}`;
}

function checkLayer({ from, to, isTypeOnly }: Edge): string | undefined {
  if (areaOf(from) !== 'shared' || areaOf(to) !== 'shared') return undefined;
  const [upper, lower] = [folderOf(from), folderOf(to)];
  if (upper === lower) return undefined;
  const [upperLayer, lowerLayer] = [layerOf(upper), layerOf(lower)];
  const unknown = upperLayer < 0 ? upper : lowerLayer < 0 ? lower : undefined;
  if (unknown !== undefined) return `${from} imports ${to}: shared/${unknown} has no layer, give it one here`;
  if (lowerLayer < upperLayer) return undefined;
  if (neighbours.includes(upper) && neighbours.includes(lower)) return undefined;
  // A manifest declares dictionaries and settings, so it knows their types.
  if (upper === 'module' && ['dict', 'settings'].includes(lower) && isTypeOnly) return undefined;
  return `${from} imports ${to}: shared/${lower} is not below shared/${upper}`;
}

const layerOf = (folder: string): number => layers.findIndex((layer) => layer.includes(folder));

function checkHttpPackage({ from, specifier }: ImportFound & { from: string }): string | undefined {
  const isAllowed = from.startsWith('shared/http/') || from.startsWith('functions/');
  if (isAllowed || !httpPackages.test(specifier)) return undefined;
  return `${from} imports ${specifier}: only shared/http knows it`;
}

function checkVendors(imports: (ImportFound & { from: string })[]): string[] {
  const users = new Map<string, Set<string>>();
  for (const { from, specifier, isTypeOnly } of imports) {
    if (isTypeOnly || areaOf(from) !== 'shared' || !vendors.test(specifier)) continue;
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    users.set(name, (users.get(name) ?? new Set()).add(from));
  }
  return [...users].flatMap(([name, files]) =>
    files.size > 1 ? [`${name} is imported in ${[...files].join(', ')}: one file wraps it`] : [],
  );
}

function checkEnvironment(file: string, source: string): string | undefined {
  const isBound = /^(?:shared|modules)\//.test(file) && !file.startsWith('shared/config/');
  if (!isBound || !readsEnvironment(source)) return undefined;
  return `${file} reads process.env: only shared/config does`;
}

/** One message for each cycle that a depth-first walk meets. */
function findCycles(files: string[], edges: Edge[]): string[] {
  // In the console, a part that is loaded when it is shown may hold what shows it: a list's items are fields too.
  const followed = edges.filter(({ from, isDynamic }) => !(isDynamic && isBrowserFile(from)));
  const targets = Map.groupBy(followed, ({ from }) => from);
  const done = new Set<string>();
  const cycles = new Set<string>();
  function visit(file: string, trail: string[]): void {
    const at = trail.indexOf(file);
    if (at >= 0) {
      cycles.add(`cycle: ${[...trail.slice(at), file].join(' -> ')}`);
      return;
    }
    if (done.has(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...trail, file]);
    done.add(file);
  }
  for (const file of files) visit(file, []);
  return [...cycles];
}
