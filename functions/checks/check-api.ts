import { type Declarations, type FoundRoute, listMethods, listPaths, listRouteFunctions } from '../model.ts';
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

/** Says that the integrations end, and which modules can do with fewer; empty while there are enough. */
export function warnOfIntegrations({ modules, routes }: Pick<Declarations, 'modules' | 'routes'>): string[] {
  const { integrations } = countApi(routes);
  if (integrations < awsLimits.integrations * warnFrom) return [];
  const largest = modules
    .filter(({ manifest }) => manifest.functions !== 'folder')
    .map(({ manifest: { name } }) => ({ name, count: routes.filter(({ module }) => module === name).length }))
    .sort((a, b) => b.count - a.count)
    .slice(0, mostNamed);
  const advice =
    largest.length > 0
      ? `write functions: 'folder' in module.ts of ${largest.map(({ name }) => name).join(', ')}`
      : 'each folder of routes takes one, so join folders';
  return [
    `the routes take ${integrations} of the ${awsLimits.integrations} integrations of an HTTP API: ${advice}`,
  ];
}

/** @throws Error if the stacks of a stage do not fit into an HTTP API */
export function assertApiFits(found: Pick<Declarations, 'modules' | 'routes'>): void {
  if (countApi(found.routes).integrations <= awsLimits.integrations) return;
  throw new Error(warnOfIntegrations(found).join('\n'));
}
