import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '#shared/errors/catalogue.ts';
import type { FoundRoute, Manifest } from './model.ts';
import { listErrorCodes } from './openapi/failures.ts';

/** `errors.create('x.y')` and `new AppError('x.y')` with a code in place. */
const thrown = /(?:\.create|new AppError)\(\s*['"`]([\w.]+)['"`]/g;

/** All error codes of the platform and of modules, with their status. */
export const listStatuses = (modules: Manifest['modules']): Record<string, number> =>
  Object.assign({}, errorCatalogue, ...modules.map(({ errors }) => errors));

/**
 * Problems of routes that throw a code which they do not declare. Only the route's own file is read, because what other
 * files throw depends on the call. A route that renders failures itself, or whose answers have no envelope, needs no list.
 */
export function checkThrownCodes(
  root: string,
  { routes, modules }: Pick<Manifest, 'routes' | 'modules'>,
): string[] {
  const statuses = listStatuses(modules);
  return routes.flatMap((found) => {
    const { renderFailure, reference } = found.route;
    if (renderFailure || reference?.body || reference?.passesErrors) return [];
    const declared = new Set(listErrorCodes(found, { statuses }));
    return listThrown(root, found)
      .filter((code) => Object.hasOwn(statuses, code) && !declared.has(code))
      .map((code) => `${found.file}: it throws ${code}, which its errors do not list: add it to errors`);
  });
}

function listThrown(root: string, { file }: FoundRoute): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...new Set([...source.matchAll(thrown)].map(([, code = '']) => code))];
}
