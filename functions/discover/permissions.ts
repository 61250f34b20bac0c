import { commandTitles, toCommandAction } from '#shared/audit/commands.ts';
import {
  formatPermission,
  type NamedPermission,
  type Permission,
  type PermissionTable,
  toPart,
} from '#shared/auth/permission.ts';
import { findLogin } from '#shared/http/gates.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { McpTool } from '#shared/tools/mcp-tool.ts';
import type { FoundModule, FoundRoute, FoundTool, Manifest } from '../model.ts';
import { listFaults } from '../scope.ts';

/** The folder of permissions that belong to tools. No module may take this prefix. */
export const toolFolder = 'tool';
const toolTitle: LocalisedText = { zh_CN: 'AI 工具', en: 'AI tools' };

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

/** The permissions of the routes of the same folder that a route asks for, by name; without those that do not exist. */
export function findAskedPermissions({ route, path }: FoundRoute, routes: readonly FoundRoute[]) {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const found = (route.asksFor ?? []).flatMap((name) => {
    const other = routes.find((each) => each.path === `${folder}/${name}`);
    const permission = other && findPermission(other);
    return typeof permission === 'object' ? [[name, permission] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The parts of a route, with their titles. */
export const listParts = (
  { route }: Pick<FoundRoute, 'route'>,
  modules: readonly FoundModule[],
): [name: string, title: LocalisedText][] =>
  route.parts !== 'settings'
    ? []
    : modules.flatMap(({ manifest: { configs = [] } }) =>
        configs.map(({ name, title }): [string, LocalisedText] => [name, title ?? { zh_CN: name, en: name }]),
      );

/** Problems of what routes declare about their permissions. */
export function checkPermissions(routes: readonly FoundRoute[]): string[] {
  const paths = new Set(routes.map(({ path }) => toPermissionPath(path)));
  return routes.flatMap((found) => {
    const { route, file, path } = found;
    const { right, sensitive, formerly = [], asksFor = [], parts, recentFactor } = route;
    const isDeclared =
      [right, sensitive, parts].some((each) => each !== undefined) ||
      formerly.length > 0 ||
      asksFor.length > 0;
    const asked = findAskedPermissions(found, routes);
    const faults = listFaults({
      "its right is unknown: use 'read', 'login' or 'handler'":
        right !== undefined && !['read', 'login', 'handler'].includes(right),
      'it asks for no permission, so right, sensitive, formerly, asksFor and parts say nothing: remove them':
        isDeclared && findPermission({ route, path }) === undefined,
      'its recentFactor says nothing, because no administrator logs in: remove it':
        recentFactor !== undefined && findPermission({ route, path }) === undefined,
      'its asksFor names no route of its folder with a permission': asksFor.some((name) => !asked[name]),
      'its formerly names a path that a route has: holders of that right would get this one': formerly.some(
        (each) => paths.has(each),
      ),
    });
    return faults.map((fault) => `${file}: ${fault}`);
  });
}

type PermissionFacts = Pick<McpTool, 'name' | 'access' | 'permission' | 'route'>;

/** The route that a tool is made of. */
export const findRouteOf = ({ route }: Pick<McpTool, 'route'>, routes: readonly FoundRoute[]) =>
  route && routes.find((found) => found.route === route);

/**
 * The permission of a tool: that of the route that it is made of or names, or one of its own; undefined if there is
 * no such route.
 */
export function findToolPermission(
  tool: PermissionFacts,
  routes: readonly FoundRoute[],
): Permission | undefined {
  const { name, access, permission, route } = tool;
  if (route) {
    const own = findRouteOf(tool, routes);
    const found = own && findPermission(own);
    return typeof found === 'object' ? found : undefined;
  }
  if (permission === undefined) return { path: `${toolFolder}/${name}`, kind: access };
  const listed = routes.map(findPermission);
  const found = listed.find((each) => typeof each === 'object' && formatPermission(each) === permission);
  return typeof found === 'object' ? found : undefined;
}

/** Problems of the permissions that tools name. */
export const checkToolPermissions = ({ tools, routes }: Pick<Manifest, 'tools' | 'routes'>): string[] =>
  tools.flatMap(({ tool, file }) => {
    // `checkRouteTool` reports a route without a permission.
    if (tool.route) return [];
    const found = findToolPermission(tool, routes);
    if (!found)
      return [`${file}: no route has its permission "${tool.permission}": take one of permissions.txt`];
    const isTooLittle = tool.access === 'write' && found.kind === 'read';
    return isTooLittle ? [`${file}: writes, so its permission must end with :write`] : [];
  });

/** One line for each permission, for `permissions.txt`, which shows a change of rights in a review. */
export const renderPermissions = ({ permissions }: PermissionTable): string =>
  permissions
    .map((each) => {
      const { sensitive, formerly = [] } = each;
      const notes = [...(sensitive ? ['sensitive'] : []), ...formerly.map((path) => `formerly ${path}`)];
      return `${[formatPermission(each), ...notes].join(' ')}\n`;
    })
    .join('');

/** All permissions with their titles, for routes that need them. */
export function createPermissionTable({
  modules,
  routes,
  tools,
}: Pick<Manifest, 'modules' | 'routes' | 'tools'>): PermissionTable {
  const permissions = [...listRoutePermissions(routes, modules), ...listToolPermissions(tools)];
  const folders = modules.flatMap(({ prefix, manifest: { title, adminFolders = {} } }) => [
    [prefix, title],
    ...Object.entries(adminFolders).map(([folder, { zh_CN, en }]) => [`${prefix}/${folder}`, { zh_CN, en }]),
  ]);
  const actions = routes.flatMap((found) => {
    const { route, path } = found;
    const isAction = route.method === 'POST' && (route.area === 'admin' || route.audit === 'login');
    return isAction && typeof findPermission(found) !== 'object'
      ? [[toPermissionPath(path), route.summary]]
      : [];
  });
  const commands = Object.entries(commandTitles).map(([name, title]) => [toCommandAction(name), title]);
  return {
    permissions: permissions.sort((a, b) => (formatPermission(a) < formatPermission(b) ? -1 : 1)),
    folders: Object.fromEntries([...folders, [toolFolder, toolTitle]]),
    actions: Object.fromEntries([...actions, ...listBorrowing(tools), ...commands]),
  };
}

const listRoutePermissions = (
  routes: readonly FoundRoute[],
  modules: Manifest['modules'],
): NamedPermission[] =>
  routes.flatMap((found) => {
    const permission = findPermission(found);
    if (typeof permission !== 'object') return [];
    const parts = listParts(found, modules).map(([name, title]) => ({ ...toPart(permission, name), title }));
    return [{ ...permission, title: found.route.summary }, ...parts];
  });

/** The description of a tool has one language. */
const toTitle = ({ title, description }: McpTool): LocalisedText =>
  title ?? { zh_CN: description, en: description };

/** Permissions of tools that name no route. */
const listToolPermissions = (tools: readonly FoundTool[]): NamedPermission[] =>
  tools.flatMap(({ tool }) => {
    const isOwn = tool.permission === undefined && !tool.route;
    const permission = isOwn && findToolPermission(tool, []);
    return permission ? [{ ...permission, title: toTitle(tool) }] : [];
  });

/** Tools with the permission of a route, as actions of the audit log. */
const listBorrowing = (tools: readonly FoundTool[]) =>
  tools.flatMap(({ tool }) =>
    tool.permission === undefined ? [] : [[`${toolFolder}/${tool.name}`, toTitle(tool)]],
  );
