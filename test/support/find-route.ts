import { join } from 'node:path';
import { listEnabled, readModuleStates } from '#functions/discover/module-states.ts';
import { readRouteLocation } from '#functions/discover/route-path.ts';
import { listFiles } from '#functions/scope.ts';
import type { Method, Route } from '#shared/http/route.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { projectRoot } from './local-server.ts';

interface RouteFile {
  path: string;
  /** Undefined if the file's name does not give it. */
  method: Method | undefined;
  file: string;
}

/** Loading all routes takes longer than the tests of a few. */
let files: readonly RouteFile[] | undefined;

/** The route of a URL, by the location of its file; undefined if not found. */
export async function findRoute(method: string, path: string): Promise<Route | undefined> {
  files ??= listEnabled(readModuleStates(projectRoot)).flatMap(listRouteFiles);
  for (const found of files) {
    if (found.path !== path || (found.method ?? method) !== method) continue;
    const { default: route }: { default: Route } = await import(found.file);
    if (route.method === method) return route;
  }
  return undefined;
}

function listRouteFiles(module: string): RouteFile[] {
  const home = join(projectRoot, 'modules', module);
  return ['Admin', 'Api', 'Web']
    .flatMap((folder) => listFiles(home, folder))
    .flatMap((relative) => {
      const location = readRouteLocation(toRoutePrefix(module), relative);
      if (typeof location === 'string') throw new Error(`${relative} of ${module}: ${location}`);
      return [{ path: location.path, method: location.method, file: join(home, relative) }];
    });
}
