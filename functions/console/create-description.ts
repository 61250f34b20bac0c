import { type Permission, toPart } from '#shared/auth/permission.ts';
import type { AdminFolder } from '#shared/module/module.ts';
import { definitionOf, type Schema } from '#shared/schema/definition.ts';
import { findPermission, listParts } from '../discover/permissions.ts';
import type { FoundModule, FoundRoute, Manifest } from '../model.ts';
import type {
  Action,
  ConsoleDescription,
  Field,
  ListDescription,
  PageDescription,
  RoutePermission,
} from './description.ts';
import { describeFields } from './fields.ts';
import type { Side } from './layers.ts';
import { describeSettings } from './settings.ts';

const adminUrls = '/adminapi/';

/** Describes the routes below `/adminapi/` for the console. */
export function createConsoleDescription({
  modules,
  routes,
}: Pick<Manifest, 'modules' | 'routes'>): ConsoleDescription {
  const found = routes.filter(({ route }) => route.area === 'admin');
  return {
    modules: modules.map(({ prefix, manifest: { name, title } }) => ({ name, prefix, title })),
    pages: found
      .filter(({ path }) => nameOf(path) === 'list')
      .map((list) => describePage(list, found, modules)),
    settings: modules.flatMap(({ manifest }) => describeSettings(manifest)),
    routes: Object.fromEntries(found.flatMap((each) => describeRights(each, modules))),
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(adminUrls.length, path.lastIndexOf('/'));

function describePage(
  list: FoundRoute,
  routes: readonly FoundRoute[],
  modules: readonly FoundModule[],
): PageDescription {
  const path = folderOf(list.path);
  const others = routes.filter((each) => each !== list && folderOf(each.path) === path);
  const described = describeList(list);
  const keys = findKeys(described.item, others);
  const owner = modules.find(({ manifest }) => manifest.name === list.module);
  const { adminFolders = {}, title = list.route.summary } = owner?.manifest ?? {};
  const folder: AdminFolder = adminFolders[path.slice(`${owner?.prefix}/`.length)] ?? title;
  const { zh_CN, en, records, purpose, to } = folder;
  return {
    path,
    module: list.module,
    title: { zh_CN, en },
    ...(records !== undefined && { records }),
    ...(purpose && { purpose }),
    ...(to !== undefined && { to }),
    list: described,
    actions: others.map((each) => describeAction(each, keys)),
  };
}

/** The permission of a route, and those of its parts, each under its path. */
function describeRights(
  found: FoundRoute,
  modules: readonly FoundModule[],
): [path: string, permission: RoutePermission][] {
  const own: [string, RoutePermission] = [found.path, describePermission(found)];
  const permission = findPermission(found);
  if (typeof permission !== 'object') return [own];
  const parts = listParts(found, modules).map(([name]) => toPart(permission, name));
  return [own, ...parts.map((part): typeof own => [adminUrls + part.path, writePermission(part)])];
}

function describePermission(found: FoundRoute): RoutePermission {
  const permission = findPermission(found);
  return typeof permission === 'object' ? writePermission(permission) : (permission ?? 'open');
}

const writePermission = ({ path, kind, sensitive, formerly }: Permission) => ({
  path,
  kind,
  ...(sensitive && { sensitive }),
  ...(formerly && { formerly }),
});

/** Parameters of each kind of paging, and what its answer has besides the list. */
const pagings = {
  page: { query: ['page_no', 'page_size'], answer: 'total' },
  cursor: { query: ['limit', 'cursor'], answer: 'next_cursor' },
  all: { query: [], answer: 'list' },
} as const;

function describeList(found: FoundRoute): ListDescription {
  const { route, path } = found;
  const { paging, rows } = readRows(route.data);
  const own: readonly string[] = pagings[paging].query;
  return {
    path,
    title: route.summary,
    permission: describePermission(found),
    paging,
    query: describeFields(route.query, 'text').filter(({ name }) => !own.includes(name)),
    item: describeFields(rows, 'output'),
  };
}

/** The schema of a list's rows; undefined if the answer has none. */
function readRows(data: Schema): { paging: ListDescription['paging']; rows?: Schema } {
  const def = definitionOf(data);
  if (def.type === 'array') return { paging: 'all', rows: def.element };
  if (def.type !== 'object') return { paging: 'all' };
  const paging = (['page', 'cursor'] as const).find((each) => pagings[each].answer in def.shape) ?? 'all';
  const { list } = def.shape;
  const inner = list && definitionOf(list);
  return { paging, rows: inner?.type === 'array' ? inner.element : undefined };
}

/** The fields of a row that name its record: `id`, or those that `detail` or `delete` ask for. */
function findKeys(item: readonly Field[], others: readonly FoundRoute[]): string[] {
  const names = item.map(({ name }) => name);
  if (names.includes('id')) return ['id'];
  const asking = ['detail', 'delete'].flatMap(
    (name) => others.find(({ path }) => nameOf(path) === name) ?? [],
  );
  for (const { route } of asking) {
    const asked = [...describeFields(route.query, 'text'), ...describeFields(route.body, 'input')];
    const keys = asked.flatMap(({ name, required }) => (required && names.includes(name) ? [name] : []));
    if (keys.length > 0) return keys;
  }
  return [];
}

/** Actions that make records: their keys name a new one. */
const makingNames = ['add', 'import'];
/** Actions that cannot be undone. */
const dangerousNames = ['clear', 'delete', 'remove', 'revoke'];

function describeAction(found: FoundRoute, keys: readonly string[]): Action {
  const { route, path } = found;
  const name = nameOf(path);
  const isForm = route.parser?.contentType === 'multipart/form-data';
  const side: Side = isForm ? 'text' : 'input';
  const query = describeFields(route.query, 'text');
  const body = describeFields(route.reference?.body ?? route.body, side);
  return {
    name,
    method: route.method,
    path,
    title: route.summary,
    permission: describePermission(found),
    query,
    body,
    bodyType: isForm ? 'multipart/form-data' : 'application/json',
    data: describeFields(route.data, 'output'),
    ...describeTarget(name, keys, [...query, ...body]),
    isVersioned: body.some((field) => field.name === 'version'),
    isDangerous: dangerousNames.includes(name),
  };
}

function describeTarget(
  action: string,
  keys: readonly string[],
  fields: readonly Field[],
): Pick<Action, 'takes' | 'keys'> {
  const isAsked = (name: string) => fields.some((field) => field.name === name && field.required);
  if (isAsked('ids') && keys.includes('id')) return { takes: 'ids', keys: ['id'] };
  const isOne = keys.length > 0 && keys.every(isAsked) && !makingNames.includes(action);
  return isOne ? { takes: 'id', keys: [...keys] } : { takes: 'none', keys: [] };
}
