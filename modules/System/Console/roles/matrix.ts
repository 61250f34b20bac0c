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

/** The rights below the roots that grants cover: of each kind, and of all. */
export function countRights(roots: readonly PermissionNode[], grants: readonly string[]) {
  const rights = roots.flatMap((root) => [...listRights(root, 'read'), ...listRights(root, 'write')]);
  return { covered: rights.filter((right) => isCovered(grants, right)).length, all: rights.length };
}

/** The grants of a role or a form, which hold values of any type. */
export const readGrants = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
