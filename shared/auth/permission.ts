import { AppError } from '#shared/errors/app-error.ts';
import type { LocalisedText } from '#shared/schema/component.ts';

/** `write` covers `read`. */
export type PermissionKind = 'read' | 'write';

/** What a caller must hold for a route or a tool (capabilities, section 1). */
export interface Permission {
  /** The route's path without `/adminapi/`, or `tool/` and the tool's name. */
  path: string;
  kind: PermissionKind;
  /** Covered only by a grant of its own path or of its direct folder. */
  sensitive?: boolean | undefined;
  /** Earlier paths, whose grants stay valid. */
  formerly?: readonly string[] | undefined;
}

/** Rights of a caller. */
export interface Rights {
  /** Whether everything is permitted. */
  super: boolean;
  /** Each is `prefix:read` or `prefix:write`. */
  grants: string[];
  /** Grants of the API token that is used. They limit the rights, also those of a super administrator. */
  tokenGrants?: readonly string[] | undefined;
}

export const formatPermission = ({ path, kind }: Permission): string => `${path}:${kind}`;

/** The permission of one part of a route. A grant that covers the whole route covers it too. */
export const toPart = ({ path, formerly = [], ...permission }: Permission, part: string): Permission => ({
  ...permission,
  path: `${path}/${part}`,
  formerly: [path, ...formerly],
});

/** Whether one of the grants covers a permission. Prefixes match whole segments. */
export function isCovered(
  grants: readonly string[],
  { path, kind, sensitive, formerly = [] }: Permission,
): boolean {
  return grants.some((grant) => {
    const end = grant.lastIndexOf(':');
    const prefix = grant.slice(0, end);
    if (kind === 'write' && grant.slice(end + 1) !== 'write') return false;
    return [path, ...formerly].some((name) => {
      if (name === prefix) return true;
      return name.startsWith(`${prefix}/`) && !(sensitive && name.includes('/', prefix.length + 1));
    });
  });
}

export function isPermitted(
  { super: isSuper, grants, tokenGrants }: Rights,
  permission: Permission,
): boolean {
  if (tokenGrants && !isCovered(tokenGrants, permission)) return false;
  return isSuper || isCovered(grants, permission);
}

/** @throws AppError `auth.permission_denied` with the permission as path */
export function assertPermitted(rights: Rights, permission: Permission): void {
  if (!isPermitted(rights, permission)) throw denyPermission(permission);
}

/** The refusal of a caller who lacks a permission. */
export function denyPermission(permission: Permission): AppError {
  const errors = [{ path: formatPermission(permission), message: 'rule.permission_missing' }];
  return new AppError('auth.permission_denied', { errors });
}

/** All permissions of the enabled modules, made at build time. */
export interface PermissionTable {
  /** Permissions of routes and tools, sorted by path. */
  permissions: readonly NamedPermission[];
  /** Titles of the folders above them, by path. */
  folders: Readonly<Record<string, LocalisedText>>;
  /** Titles of actions that have no permission of their own, such as a login or a command, by path. */
  actions: Readonly<Record<string, LocalisedText>>;
}

export interface NamedPermission extends Permission {
  title: LocalisedText;
}

/** The title of the route, tool or command that an action of the audit log names; undefined if it does not exist. */
export const findActionTitle = (
  action: string,
  { permissions, actions }: PermissionTable,
): LocalisedText | undefined => permissions.find(({ path }) => path === action)?.title ?? actions[action];
