import { listTargetArguments } from '#shared/audit/known-target.ts';
import { fieldsOf, type Schema } from '#shared/schema/definition.ts';
import type { FoundModule, FoundRoute } from '../model.ts';
import { toPermissionPath } from './permissions.ts';

/** Arguments that name records of their folder. */
const idNames = ['id', 'ids'];

/**
 * The record that the body of a route names, as a pattern for the audit log: `article:{id}`. It follows from `records`
 * of the folder, or the route declares it. Undefined if the body names none.
 */
export function findTarget(
  { route, path, module }: Pick<FoundRoute, 'route' | 'path' | 'module'>,
  modules: readonly FoundModule[],
): string | undefined {
  if (route.target !== undefined) return route.target;
  const owner = modules.find(({ manifest }) => manifest.name === module);
  const folder = toPermissionPath(path).split('/').slice(1, -1).join('/');
  const { records } = owner?.manifest.adminFolders?.[folder] ?? {};
  const idName = idNames.find((name) => listFields(route.body).includes(name));
  return records !== undefined && idName !== undefined ? `${records}:{${idName}}` : undefined;
}

/** The arguments in a pattern that the body does not have. */
export const listUnknownArguments = (target: string, body: Schema | undefined): string[] =>
  listTargetArguments(target).filter((name) => !listFields(body).includes(name));

/** The fields of a body that is one object. */
export const listFields = (body: Schema | undefined): string[] => (body ? Object.keys(fieldsOf(body)) : []);
