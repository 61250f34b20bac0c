import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Route } from '#shared/http/route.ts';
import { type ModuleManifest, moduleNamePattern, toRoutePrefix } from '#shared/module/module.ts';
import { checkRoute, findThrottles } from './check-route.ts';
import { checkJob, checkListener, checkManifest, checkModules, checkRoutes } from './checks.ts';
import { checkOwners, listOwners, platform, readOwner } from './discover-owners.ts';
import { compareWithTool, readTools } from './discover-tools.ts';
import {
  DiscoveryError,
  type FoundAdapter,
  type FoundFile,
  type FoundJob,
  type FoundListener,
  type FoundModule,
  type FoundRoute,
  type FoundTool,
  type Manifest,
  type Owner,
} from './model.ts';
import { listEnabled, readModuleStates } from './module-states.ts';
import { areas, readRoutePlace } from './route-place.ts';
import { findTwins, importDefault, type Load, listFiles, type Scope } from './scope.ts';

const importFile: Load = (file) => import(pathToFileURL(file).href);

/**
 * Finds all declarations of the enabled modules: manifests, routes, jobs (`Jobs/`), stream listeners (`Stream/`),
 * tools and adapters.
 *
 * @param root folder that holds `modules/`
 * @param load imports a file by its absolute path
 * @param names the enabled modules; by default those of `modules.json`, in its order
 * @throws DiscoveryError with every broken rule; each names the file and the fix
 */
export async function discover(
  root: string,
  load: Load = importFile,
  names: readonly string[] = listEnabled(readModuleStates(root)),
): Promise<Manifest> {
  const problems: string[] = [];
  const scope = { root, load, problems };
  const modules: FoundModule[] = [];
  const routes: FoundRoute[] = [];
  const jobs: FoundJob[] = [];
  const listeners: FoundListener[] = [];
  const tools: FoundTool[] = [];
  const adapters: FoundAdapter[] = [];
  for (const name of names) {
    const found = await readModule(scope, name);
    if (found) modules.push(found);
  }
  problems.push(...checkOwners([platform, ...modules]));
  for (const found of modules) {
    routes.push(...(await readRoutes(scope, found, listOwners(modules, found.manifest.name))));
    const ownJobs = await readFolder(scope, found, ['Jobs', 'job'], checkJob);
    jobs.push(...ownJobs.map(({ declared, ...file }) => ({ ...file, job: declared })));
    const ownListeners = await readFolder(scope, found, ['Stream', 'stream'], checkListener);
    listeners.push(...ownListeners.map(({ declared, ...file }) => ({ ...file, listener: declared })));
    const own = await readTools(scope, found);
    tools.push(...own.tools);
    adapters.push(...own.adapters);
  }
  problems.push(
    ...checkModules(modules),
    ...checkRoutes(routes),
    ...findTwins(tools.map(({ tool, file }) => ({ name: tool.name, file }))),
    ...findTwins(adapters.map(({ adapter, file }) => ({ name: adapter.name, file }))),
  );
  if (problems.length > 0) throw new DiscoveryError(problems);
  const warnings = adapters.flatMap((adapter) => compareWithTool(adapter, tools));
  return { modules, routes, jobs, listeners, tools, adapters, warnings };
}

async function readModule(scope: Scope, name: string): Promise<FoundModule | undefined> {
  const { root, problems } = scope;
  const file = `modules/${name}/module.ts`;
  if (!moduleNamePattern.test(name)) {
    problems.push(`modules/modules.json: "${name}" is not a module name: use PascalCase, as in UserCenter`);
    return undefined;
  }
  if (!existsSync(join(root, file))) {
    problems.push(`${file} is missing: create it, or take "${name}" out of modules/modules.json`);
    return undefined;
  }
  const manifest = await importDefault<ModuleManifest>(scope, file);
  if (manifest && manifest.name !== name) {
    problems.push(`${file} is named "${manifest.name}": name it "${name}", as its folder`);
    return undefined;
  }
  const faults = manifest ? checkManifest(manifest) : [];
  problems.push(...faults.map((fault) => `${file}: ${fault}`));
  if (!manifest || faults.length > 0) return undefined;
  return { manifest, prefix: toRoutePrefix(name), ...(await readOwner(scope, name)) };
}

async function readRoutes(scope: Scope, found: FoundModule, owners: readonly Owner[]): Promise<FoundRoute[]> {
  const { root, problems } = scope;
  const { manifest, prefix } = found;
  const home = join('modules', manifest.name);
  const routes: FoundRoute[] = [];
  for (const relative of areas.flatMap(({ folder }) => listFiles(join(root, home), folder))) {
    const file = `modules/${manifest.name}/${relative}`;
    const place = readRoutePlace(prefix, relative);
    const route = await importDefault<Route>(scope, file);
    if (typeof place === 'string') problems.push(`${file}: ${place}`);
    else if (route) {
      const faults = checkRoute(route, place, owners);
      problems.push(...faults.map((fault) => `${file}: ${fault}`));
      const { path, functionName } = place;
      const throttles = faults.length === 0 ? findThrottles(route, owners) : [];
      routes.push({ route, module: manifest.name, file, path, functionName, throttles });
    }
  }
  return routes;
}

/** Reads the jobs or listeners of a module. @param kind part of the functions' names */
async function readFolder<Declared>(
  scope: Scope,
  { manifest, prefix }: FoundModule,
  [folder, kind]: readonly [folder: string, kind: string],
  check: (declared: Declared, functionName: string) => string[],
): Promise<(FoundFile & { declared: Declared })[]> {
  const found: (FoundFile & { declared: Declared })[] = [];
  for (const relative of listFiles(join(scope.root, 'modules', manifest.name), folder)) {
    const file = `modules/${manifest.name}/${relative}`;
    const functionName = `${prefix}-${kind}-${relative.slice(folder.length + 1, -'.ts'.length)}`;
    const declared = await importDefault<Declared>(scope, file);
    if (!declared) continue;
    scope.problems.push(...check(declared, functionName).map((fault) => `${file}: ${fault}`));
    found.push({ declared, module: manifest.name, file, functionName });
  }
  return found;
}
