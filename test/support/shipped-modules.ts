import { discover } from '#functions/discover.ts';
import type { Manifest } from '#functions/model.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { projectRoot } from './local-server.ts';

/**
 * The modules of this project. Tests that name what the service has take these only: in a project with further modules
 * they must pass too.
 */
export const shippedModules = ['Article', 'System', 'UserCenter'] as const;

/** Begin the names of their tools, before the dot. */
const prefixes = shippedModules.map(toRoutePrefix);

export const discoverShipped = (): Promise<Manifest> =>
  discover(projectRoot, (file) => import(file), shippedModules);

/** Whether a tool belongs to one of the shipped modules. */
export const isShippedTool = (name: string): boolean => prefixes.includes(name.split('.')[0] ?? '');

/** The names of all functions, except for the one that answers requests without a route. */
export const listFunctionNames = ({ routes, jobs, listeners }: Manifest): string[] =>
  [...routes, ...jobs, ...listeners].map(({ functionName }) => functionName);
