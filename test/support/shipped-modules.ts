import { basename, dirname, join } from 'node:path';
import { root as projectRoot } from '#cli/project.ts';
import { discover } from '#functions/discover/discover.ts';
import { type ModuleStates, readModuleStates } from '#functions/discover/module-states.ts';
import type { Manifest } from '#functions/model.ts';
import { moduleNamePattern, toRoutePrefix } from '#shared/module/module.ts';

/**
 * The modules of this project. Tests that name what the service has take these only: in a project with further modules
 * they must pass too.
 */
export const shippedModules = ['Article', 'System', 'UserCenter'] as const;

const isShipped = (name: string): boolean => shippedModules.some((each) => each === name);

/** Whether a path is the folder of a module that this project may have beside the shipped ones. */
export const isModuleOfOthers = (file: string): boolean =>
  dirname(file) === join(projectRoot, 'modules') &&
  moduleNamePattern.test(basename(file)) &&
  !isShipped(basename(file));

export const readShippedStates = (): ModuleStates =>
  new Map([...readModuleStates(projectRoot)].filter(([name]) => isShipped(name)));

/** Begin the names of their tools, before the dot. */
const prefixes = shippedModules.map(toRoutePrefix);

export const discoverShipped = (): Promise<Manifest> =>
  discover(projectRoot, (file) => import(file), shippedModules);

/** Whether a tool belongs to one of the shipped modules. */
export const isShippedTool = (name: string): boolean => prefixes.includes(name.split('.')[0] ?? '');

/** The names of all functions, except for the one that answers requests without a route. */
export const listFunctionNames = ({ routes, jobs, listeners }: Manifest): string[] =>
  [...routes, ...jobs, ...listeners].map(({ functionName }) => functionName);
