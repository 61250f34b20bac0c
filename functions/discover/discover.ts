import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Route } from '#shared/http/route.ts';
import { type ModuleManifest, moduleNamePattern, toRoutePrefix } from '#shared/module/module.ts';
import { warnOfIntegrations } from '../checks/check-api.ts';
import { checkEntities } from '../checks/check-entities.ts';
import { checkReferences, warnOfDictionaries } from '../checks/check-hints.ts';
import { checkRecords } from '../checks/check-records.ts';
import { checkLists, checkRoute, findThrottles } from '../checks/check-route.ts';
import { checkRouteTools } from '../checks/check-route-tools.ts';
import { checkThrownCodes } from '../checks/check-thrown-codes.ts';
import {
  checkGrants,
  checkJob,
  checkListener,
  checkManifest,
  checkModules,
  checkRoutes,
} from '../checks/checks.ts';
import {
  DiscoveryError,
  type FoundFile,
  type FoundModule,
  type FoundRoute,
  type Manifest,
  modulesFolder,
  type Owner,
} from '../model.ts';
import {
  describeUnloaded,
  findDuplicates,
  findFaults,
  importDefault,
  type Load,
  listFiles,
  report,
  type Scope,
} from '../scope.ts';
import { aggregateStack } from '../stacks/stack.ts';
import { followCaches } from './cached-records.ts';
import { checkContributions, readContributions } from './contributions.ts';
import { checkOwners, listOwners, platform, readOwner } from './discover-owners.ts';
import { compareWithTool, readAdapters, readTools } from './discover-tools.ts';
import { listEnabled, readModuleStates } from './module-states.ts';
import { checkPermissions, checkToolPermissions } from './permissions.ts';
import { areas, readRouteLocation } from './route-path.ts';

const importFile: Load = (file) => import(pathToFileURL(file).href);

/**
 * Finds all declarations of the enabled modules.
 *
 * @param names the enabled modules; by default those of `modules.json`, in its order
 * @throws DiscoveryError with every broken rule; each names the file and the fix
 */
export async function discover(
  root: string,
  load: Load = importFile,
  names: readonly string[] = listEnabled(readModuleStates(root)),
): Promise<Manifest> {
  const scope: Scope = { root, load, problems: [], unloaded: [] };
  const named = await Array.fromAsync(names, (name) => readModule(scope, name));
  const modules = named.filter((found) => found !== undefined);
  // A module that cannot be loaded seems to be missing, with its codes and throttles: only the cause is reported.
  if (scope.unloaded.length > 0) throw new DiscoveryError([...scope.problems, ...describeUnloaded(scope)]);
  scope.problems.push(...checkOwners([platform, ...modules]));
  const readEach = async <Found>(read: (found: FoundModule) => Promise<Found[]>) =>
    (await Array.fromAsync(modules, read)).flat();
  const routes = await readEach((found) =>
    readRoutes(scope, found, listOwners(modules, found.manifest.name)),
  );
  const jobs = await readEach((found) =>
    readFolder(scope, found, ['Jobs', 'job'], checkJob, (job) => ({ job })),
  );
  const tools = await readEach((found) => readTools(scope, found));
  const adapters = await readEach((found) => readAdapters(scope, found));
  const found = await readEach((each) =>
    readFolder(scope, each, ['Stream', 'stream'], checkListener, (listener) => ({ listener })),
  );
  const listeners = await followCaches(scope, modules, found);
  const problems = [
    ...scope.problems,
    ...describeUnloaded(scope),
    ...[checkModules, checkContributions].flatMap((check) => check(modules)),
    ...[checkRoutes, checkPermissions].flatMap((check) => check(routes)),
    ...checkEntities(root, modules),
    ...findDuplicates(tools.map(({ tool, file }) => ({ name: tool.name, file }))),
    ...findDuplicates(adapters.map(({ adapter, file }) => ({ name: adapter.name, file }))),
  ];
  if (problems.length > 0) throw new DiscoveryError(problems);
  // Permissions follow from valid routes only.
  const thrown = await checkThrownCodes(root, { modules, routes });
  const records = checkRecords(root, { modules, routes, tools });
  problems.push(
    ...checkGrants({ modules, routes, tools }),
    ...checkToolPermissions({ tools, routes }),
    ...checkRouteTools({ tools, routes }),
    ...checkReferences({ modules, routes, tools }),
    ...thrown.problems,
    ...records.problems,
  );
  if (problems.length > 0) throw new DiscoveryError(problems);
  const warnings = [
    ...adapters.flatMap((adapter) => compareWithTool(adapter, tools)),
    ...warnOfDictionaries({ modules, routes, tools }),
    ...thrown.warnings,
    ...records.warnings,
    ...warnOfIntegrations({ modules, routes }),
  ];
  return { modules, routes, jobs, listeners, tools, adapters, warnings };
}

async function readModule(scope: Scope, name: string): Promise<FoundModule | undefined> {
  const { root, problems } = scope;
  const home = `${modulesFolder}/${name}`;
  const file = `${home}/module.ts`;
  if (!moduleNamePattern.test(name)) {
    problems.push(`modules/modules.json: "${name}" is not a module name: use PascalCase, as in UserCenter`);
    return undefined;
  }
  if (!existsSync(join(root, file))) {
    problems.push(`${file} is missing: create it, or take "${name}" out of modules/modules.json`);
    return undefined;
  }
  const manifest = await importDefault<ModuleManifest>(scope, file);
  if (!manifest) return undefined;
  if (manifest.name !== name) {
    problems.push(`${file} is named "${manifest.name}": name it "${name}", as its folder`);
    return undefined;
  }
  const faults = findFaults(() => checkManifest(manifest));
  report(scope, file, faults);
  if (faults.length > 0) return undefined;
  const contributions = await readContributions(scope, home);
  return { manifest, home, prefix: toRoutePrefix(name), contributions, ...(await readOwner(scope, home)) };
}

async function readRoutes(
  scope: Scope,
  { manifest, home, prefix }: FoundModule,
  owners: readonly Owner[],
): Promise<FoundRoute[]> {
  const routes: FoundRoute[] = [];
  for (const relative of areas.flatMap(({ folder }) => listFiles(join(scope.root, home), folder))) {
    const file = `${home}/${relative}`;
    const location = readRouteLocation(prefix, relative);
    const route = await importDefault<Route>(scope, file);
    if (typeof location === 'string') report(scope, file, [location]);
    else if (route) {
      const faults = findFaults(() => checkRoute(route, location, owners));
      report(scope, file, faults);
      if (checkLists(route).length > 0) continue;
      const { path, functionName, folderFunction } = location;
      const throttles = faults.length === 0 ? findThrottles(route, owners) : [];
      const shared = manifest.functions === 'folder' ? findShared(route, prefix, folderFunction) : undefined;
      const found = { route, module: manifest.name, file, path, functionName, throttles };
      routes.push({ ...found, ...(shared && { sharedFunction: shared }) });
    }
  }
  return routes;
}

/**
 * The function that a route shares with others: that of its folder, or of its module with parts of all modules, which is
 * in another stack. Undefined for a route with memory, concurrency or a disk of its own.
 */
function findShared({ limits = {}, storage, libraries, needs }: Route, prefix: string, ofFolder: string) {
  const { timeoutSeconds, ...own } = limits;
  if (storage || libraries || Object.keys(own).length > 0) return undefined;
  return needs?.length ? `${prefix}-${aggregateStack}` : ofFolder;
}

/** Reads the jobs or listeners of a module. @param kind part of the functions' names */
async function readFolder<Declared, Found>(
  scope: Scope,
  { manifest, home, prefix }: FoundModule,
  [folder, kind]: readonly [folder: string, kind: string],
  check: (declared: Declared, functionName: string) => string[],
  wrap: (declared: Declared) => Found,
): Promise<(FoundFile & Found)[]> {
  const found: (FoundFile & Found)[] = [];
  for (const relative of listFiles(join(scope.root, home), folder)) {
    const file = `${home}/${relative}`;
    const functionName = `${prefix}-${kind}-${relative.slice(folder.length + 1, -'.ts'.length)}`;
    const declared = await importDefault<Declared>(scope, file);
    if (!declared) continue;
    report(
      scope,
      file,
      findFaults(() => check(declared, functionName)),
    );
    found.push({ ...wrap(declared), module: manifest.name, file, functionName });
  }
  return found;
}
