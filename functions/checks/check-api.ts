import { type Declarations, type FoundRoute, listMethods, listPaths, listRouteFunctions } from '../model.ts';
import { findApi, listApis, readEdge } from '../stacks/edge.ts';
import { awsLimits } from '../stacks/limits.ts';

/** Part of the integrations from which on a warning says that they end. */
const warnFrom = 0.9;
/** Modules that a message names. */
const mostNamed = 3;

/** What all stacks of a stage take of their HTTP API, with the function that answers unknown paths. */
export function countApi(routes: readonly FoundRoute[]) {
  const keys = routes.flatMap((found) => listPaths(found).flatMap(() => listMethods(found)));
  return { integrations: listRouteFunctions(routes).length + 1, routes: keys.length + 1 };
}

/** What the fullest HTTP API of a stage takes, with `EDGE=1` one for each module and that of `core`. */
export function countFullestApi(found: Pick<Declarations, 'modules' | 'routes'>, isEdge: boolean) {
  if (!isEdge) return countApi(found.routes);
  const prefixes = listApis(found);
  const counts = [...Map.groupBy(found.routes, ({ path }) => findApi(path, prefixes)).values()].map(countApi);
  return counts.reduce((most, each) => (each.integrations > most.integrations ? each : most), countApi([]));
}

/** Says that the integrations end, and which modules can do with fewer; empty while there are enough. */
export function warnOfIntegrations(
  found: Pick<Declarations, 'modules' | 'routes'>,
  isEdge = readEdge(process.env) !== undefined,
): string[] {
  const { modules, routes } = found;
  const { integrations } = countFullestApi(found, isEdge);
  if (integrations < awsLimits.integrations * warnFrom) return [];
  const largest = modules
    .filter(({ manifest }) => manifest.functions !== 'folder')
    .map(({ manifest: { name } }) => ({ name, count: routes.filter(({ module }) => module === name).length }))
    .sort((a, b) => b.count - a.count)
    .slice(0, mostNamed);
  const advice =
    largest.length > 0
      ? `write functions: 'folder' in module.ts of ${largest.map(({ name }) => name).join(', ')}`
      : `each folder of routes takes one, so ${isEdge ? 'join folders' : 'give each module an HTTP API: EDGE=1'}`;
  return [
    `the routes take ${integrations} of the ${awsLimits.integrations} integrations of an HTTP API: ${advice}`,
  ];
}

/** @throws Error if the stacks of a stage do not fit into an HTTP API */
export function assertApiFits(found: Pick<Declarations, 'modules' | 'routes'>): void {
  const isEdge = readEdge(process.env) !== undefined;
  if (countFullestApi(found, isEdge).integrations <= awsLimits.integrations) return;
  throw new Error(warnOfIntegrations(found).join('\n'));
}
