import { bodyLimitOf } from '#shared/http/gates.ts';
import type { Route } from '#shared/http/route.ts';
import type { Catalogue } from '#shared/i18n/messages.ts';
import type { Contributions } from '#shared/module/contributions.ts';
import type { CachedRecords, Job, ModuleManifest, StreamListener } from '#shared/module/module.ts';
import type { Throttle } from '#shared/throttle/throttles.ts';
import type { AiTool } from '#shared/tools/ai-tool.ts';
import type { McpTool } from '#shared/tools/mcp-tool.ts';

/** The platform or a module, which declare error codes, throttles and messages. */
export interface Owner {
  /** HTTP status by code. */
  errors: Readonly<Record<string, number>>;
  throttles: Readonly<Record<string, Throttle>>;
  messages: Catalogue;
  /** The declaring files, from the project's root. */
  files: { errors: string; throttles: string; lang: string };
}

/** Folder of all modules, from the project's root. */
export const modulesFolder = 'modules';

export interface FoundModule extends Owner {
  manifest: ModuleManifest;
  /** Its folder, from the project's root. */
  home: string;
  /** Begins its URLs and function names. */
  prefix: string;
  /** What it shows on the pages of others, with the declaring file. */
  contributions?: { file: string; declared: Contributions } | undefined;
}

/** A throttle that a route names, with the declaring file. */
export type FoundThrottle = { name: string; throttle: Throttle; file: string };

/** A file of a module that becomes a function. All paths are given from the project's root, with `/`. */
export interface FoundFile {
  module: string;
  file: string;
  /** Name of its function, unique over all modules. */
  functionName: string;
}

export interface FoundRoute extends FoundFile {
  route: Route;
  /** URL path. */
  path: string;
  throttles: readonly FoundThrottle[];
  /** Name of the function that answers it with other routes, instead of one of its own. */
  sharedFunction?: string;
}

/** A function that answers requests. */
export interface RouteFunction {
  name: string;
  routes: readonly FoundRoute[];
}

/** Name of the function that answers a route. */
export const answeredBy = ({ sharedFunction, functionName }: FoundRoute): string =>
  sharedFunction ?? functionName;

/** The functions that answer routes, in the order of their first ones. */
export const listRouteFunctions = (routes: readonly FoundRoute[]): RouteFunction[] =>
  [...Map.groupBy(routes, answeredBy)].map(([name, own]) => ({ name, routes: own }));

/** Those of them that routes share. */
export const listSharedFunctions = (routes: readonly FoundRoute[]): RouteFunction[] =>
  listRouteFunctions(routes.filter(({ sharedFunction }) => sharedFunction));

export type FoundJob = FoundFile & { job: Job };
/** Records that a cache mirrors, with the export that declares them. */
export interface FoundCachedRecords extends CachedRecords {
  file: string;
  /** Name of the export. */
  name: string;
}

/** `cached`: the records of a listener that follows those with a cache. */
export type FoundListener = FoundFile & { listener: StreamListener; cached?: readonly FoundCachedRecords[] };
export type FoundTool = { tool: McpTool; file: string };
export type FoundAdapter = { adapter: AiTool; file: string };

/** Largest body of a route, in bytes. */
export function limitBytesOf({ route, throttles }: FoundRoute): number {
  const own = throttles.map(({ throttle }) => throttle);
  return bodyLimitOf(route, own);
}

/** HTTP methods of a route. */
export const listMethods = ({ route }: FoundRoute): string[] =>
  route.head ? [route.method, 'HEAD'] : [route.method];

/** URL paths of a route. */
export const listPaths = ({ path, route }: FoundRoute): string[] => [path, ...(route.aliases ?? [])];

/** All declarations of the enabled modules. */
export interface Manifest {
  modules: FoundModule[];
  routes: FoundRoute[];
  jobs: FoundJob[];
  listeners: FoundListener[];
  tools: FoundTool[];
  adapters: FoundAdapter[];
  /** Warnings for the developer; each names its file. */
  warnings: string[];
}

/** What modules declare for their routes and tools. */
export type Declarations = Pick<Manifest, 'modules' | 'routes' | 'tools'>;

/** Broken rules; each line of the message names a file and the fix. */
export class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
