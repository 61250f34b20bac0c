import {
  type NamedPermission,
  type Permission,
  type PermissionTable,
  spellPermission,
} from '#shared/auth/permission.ts';
import { findLogin } from '#shared/http/gates.ts';
import type { FoundRoute, Manifest } from './model.ts';
import { listFaults } from './scope.ts';

/** The path of a permission: that of its route, without `/adminapi/`. */
export const toPermissionPath = (path: string): string => path.replace(/^\/(adminapi\/)?/, '');

/** The permission of a route; `login` if every administrator may call it, undefined if it asks for none. */
export function findPermission({
  route,
  path,
}: Pick<FoundRoute, 'route' | 'path'>): Permission | 'login' | undefined {
  if (!findLogin(route)?.takesPermission) return undefined;
  const { right, method, sensitive, formerly } = route;
  if (right === 'login') return 'login';
  return {
    path: toPermissionPath(path),
    kind: right === 'read' || method === 'GET' ? 'read' : 'write',
    ...(sensitive && { sensitive }),
    ...(formerly && { formerly }),
  };
}

/** Problems of what routes declare about their permissions. */
export function checkPermissions(routes: readonly FoundRoute[]): string[] {
  const paths = new Set(routes.map(({ path }) => toPermissionPath(path)));
  return routes.flatMap(({ route, file, path }) => {
    const { right, sensitive, formerly = [] } = route;
    const isDeclared = right !== undefined || sensitive !== undefined || formerly.length > 0;
    const faults = listFaults({
      "its right is unknown: use 'read', 'login' or 'handler'":
        right !== undefined && !['read', 'login', 'handler'].includes(right),
      'it asks for no permission, so right, sensitive and formerly say nothing: remove them':
        isDeclared && findPermission({ route, path }) === undefined,
      'its formerly names a path that a route has: holders of that right would get this one': formerly.some(
        (each) => paths.has(each),
      ),
    });
    return faults.map((fault) => `${file}: ${fault}`);
  });
}

/** One line for each permission, for `permissions.txt`, which shows a change of rights in a review. */
export const renderPermissions = ({ permissions }: PermissionTable): string =>
  permissions
    .map((each) => {
      const { sensitive, formerly = [] } = each;
      const notes = [...(sensitive ? ['sensitive'] : []), ...formerly.map((path) => `formerly ${path}`)];
      return `${[spellPermission(each), ...notes].join(' ')}\n`;
    })
    .join('');

/** All permissions with their titles, for routes that need them. */
export function createPermissionTable({
  modules,
  routes,
}: Pick<Manifest, 'modules' | 'routes'>): PermissionTable {
  const permissions = routes.flatMap((found): NamedPermission[] => {
    const permission = findPermission(found);
    return typeof permission === 'object' ? [{ ...permission, title: found.route.summary }] : [];
  });
  const folders = modules.flatMap(({ prefix, manifest: { title, adminFolders = {} } }) => [
    [prefix, title],
    ...Object.entries(adminFolders).map(([folder, each]) => [`${prefix}/${folder}`, each]),
  ]);
  const actions = routes.flatMap((found) => {
    const { route, path } = found;
    const isAction = route.area === 'admin' && route.method === 'POST';
    return isAction && typeof findPermission(found) !== 'object'
      ? [[toPermissionPath(path), route.summary]]
      : [];
  });
  return {
    permissions: permissions.sort((a, b) => (spellPermission(a) < spellPermission(b) ? -1 : 1)),
    folders: Object.fromEntries(folders),
    actions: Object.fromEntries(actions),
  };
}
