import type { Permission, PermissionTable } from '#shared/auth/permission.ts';
import type { Locale } from '#shared/i18n/locale.ts';

/** A folder of rights: of a module, and the part of it. */
const depth = 2;

/**
 * The folders in which a caller holds a right, by path. A token's scope decides whether it reads or changes, so each is
 * granted as `write`; that gives nothing that the caller does not hold.
 */
export function listGrantFolders(
  { permissions, folders }: PermissionTable,
  locale: Locale,
  isHeld: (permission: Permission) => boolean,
): { grant: string; title: string }[] {
  const held = permissions.filter(isHeld).map(({ path }) => path.split('/').slice(0, -1));
  const paths = new Set(held.map((parts) => parts.slice(0, depth).join('/')).filter((path) => path !== ''));
  const toTitle = (path: string) => folders[path]?.[locale] ?? path.slice(path.lastIndexOf('/') + 1);
  return [...paths].sort().map((path) => {
    const parents = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
    return { grant: `${path}:write`, title: parents.map(toTitle).join(' › ') };
  });
}
