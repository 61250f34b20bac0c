import { toRoutePrefix } from '#shared/module/module.ts';
import type { FoundRoute, Manifest } from '../model.ts';

/** What becomes functions. */
export type FunctionSources = Pick<Manifest, 'routes' | 'jobs' | 'listeners'>;

/** Table, HTTP API, roles, alarms' topic and the `$default` function: what all other stacks stand on. */
export const coreStack = 'core';
/** Functions that hold something of every module. */
export const aggregateStack = 'aggregate';
/** All of the service as one stack, which needs no other. */
export const wholeStack = 'all';

/** Whether a stack holds what all functions share, instead of importing it. */
export const hasCore = (stack: string): boolean => stack === coreStack || stack === wholeStack;

/** The stack that a route's function is deployed with: its module's, or the one of what every module is in. */
export function stackOf({ route, module }: FoundRoute): string {
  return route.needs?.length ? aggregateStack : toRoutePrefix(module);
}

/** All stacks in the order of a first deployment. */
export function listStacks({ routes, jobs }: Omit<FunctionSources, 'listeners'>): string[] {
  const modules = new Set([...routes.map(stackOf), ...jobs.map(({ module }) => toRoutePrefix(module))]);
  modules.delete(aggregateStack);
  return [coreStack, ...[...modules].sort(), aggregateStack];
}

/**
 * What of the service a stack deploys.
 *
 * @throws Error naming all stacks if none has the name
 */
export function selectStack(manifest: FunctionSources, stack: string): FunctionSources {
  if (stack === wholeStack) return manifest;
  const stacks = listStacks(manifest);
  if (!stacks.includes(stack)) {
    throw new Error(
      `MODULE is "${stack}": it takes one of ${stacks.join(', ')}; without it all of them are one service`,
    );
  }
  return {
    routes: manifest.routes.filter((found) => stackOf(found) === stack),
    jobs: manifest.jobs.filter(({ module }) => toRoutePrefix(module) === stack),
    // They hold the manifests of all modules, to clear the caches of each.
    listeners: stack === aggregateStack ? manifest.listeners : [],
  };
}
