import { isCovered, type Permission } from '#shared/auth/permission.ts';
import type { PermissionNode } from '../../roles/permission-tree.ts';

type PermissionKind = Permission['kind'];

/**
 * What a set of grants says about one kind of right of a node. `own`: this node is granted; `inherited`: other grants
 * cover everything here; `some`: they cover a part; `none`; `absent`: there is no such right here.
 */
export type CellState = 'own' | 'inherited' | 'some' | 'none' | 'absent';

/** The rights of a node and below it, of one kind. */
export function listRights(node: PermissionNode, kind: PermissionKind): Permission[] {
  if (node.children.length > 0) return node.children.flatMap((child) => listRights(child, kind));
  return node[kind] ? [{ path: node.path, kind, sensitive: node.sensitive }] : [];
}

export function findState(node: PermissionNode, kind: PermissionKind, grants: readonly string[]): CellState {
  const rights = listRights(node, kind);
  if (rights.length === 0) return 'absent';
  if (grants.includes(`${node.path}:${kind}`)) return 'own';
  const covered = rights.filter((right) => isCovered(grants, right)).length;
  return covered === rights.length ? 'inherited' : covered > 0 ? 'some' : 'none';
}

/**
 * Grants or takes one kind of right of a node. Grants below it that the new one covers go, because they would stay
 * behind when it is taken away.
 */
export function toggleGrant(node: PermissionNode, kind: PermissionKind, grants: readonly string[]): string[] {
  const grant = `${node.path}:${kind}`;
  if (grants.includes(grant)) return grants.filter((each) => each !== grant);
  const below = listNodes(node);
  const isCoveredNow = (each: string) => {
    const found = below.find(({ path }) => each.startsWith(`${path}:`));
    const eachKind = each.endsWith(':write') ? 'write' : 'read';
    if (!found || (eachKind === 'write' && kind === 'read')) return false;
    return listRights(found, eachKind).every((right) => isCovered([grant], right));
  };
  return [...grants.filter((each) => !isCoveredNow(each)), grant].sort();
}

/** A node and all nodes below it. */
export const listNodes = (node: PermissionNode): PermissionNode[] => [
  node,
  ...node.children.flatMap(listNodes),
];

/** The grants after every function of a module is granted. Sensitive ones stay as they are: they are granted one by one. */
export const grantModule = (module: PermissionNode, grants: readonly string[]): string[] =>
  (['read', 'write'] as const)
    .filter((kind) => ['none', 'some'].includes(findState(module, kind, grants)))
    .reduce((granted, kind) => addGrant(module, kind, granted), [...grants]);

const addGrant = (node: PermissionNode, kind: PermissionKind, grants: readonly string[]): string[] =>
  grants.includes(`${node.path}:${kind}`) ? [...grants] : toggleGrant(node, kind, grants);

/** Grants to read every module, and nothing else. Grants of functions that do not exist now stay. */
export const grantReading = (modules: readonly PermissionNode[], grants: readonly string[]): string[] =>
  modules
    .filter((module) => listRights(module, 'read').length > 0)
    .reduce<string[]>((granted, module) => addGrant(module, 'read', granted), takeAll(modules, grants));

/** No grants but those of functions that do not exist now. */
export function takeAll(modules: readonly PermissionNode[], grants: readonly string[]): string[] {
  const known = new Set(modules.flatMap(listNodes).map(({ path }) => path));
  return grants.filter((grant) => !known.has(grant.replace(/:\w+$/, '')));
}

/** The nodes whose title or path contains a keyword, with the nodes above and below them. */
export function filterNodes(nodes: readonly PermissionNode[], keyword: string): PermissionNode[] {
  const wanted = keyword.trim().toLowerCase();
  return nodes.flatMap((node) => {
    if ([node.title, node.path].some((text) => text.toLowerCase().includes(wanted))) return [node];
    const children = filterNodes(node.children, keyword);
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}

/** The rights below the roots that grants cover: of each kind, and of all. */
export function countRights(roots: readonly PermissionNode[], grants: readonly string[]) {
  const rights = roots.flatMap((root) => [...listRights(root, 'read'), ...listRights(root, 'write')]);
  return { covered: rights.filter((right) => isCovered(grants, right)).length, all: rights.length };
}

/** The grants of a role or a form, which hold values of any type. */
export const readGrants = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
