import * as z from 'zod/mini';
import type { PermissionTable } from '#shared/auth/permission.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { components } from '#shared/schema/component.ts';

/** A folder, or a route or tool. */
interface PermissionNode {
  path: string;
  title: string;
  /** Whether such a right exists here or below. */
  read: boolean;
  write: boolean;
  /** Whether only a grant of this path, or of the direct folder, covers it. */
  sensitive: boolean;
  children: PermissionNode[];
}

export const permissionNode: z.ZodMiniType<PermissionNode> = z
  .strictObject({
    path: z.string(),
    title: z.string(),
    read: z.boolean(),
    write: z.boolean(),
    sensitive: z.boolean(),
    get children() {
      return z.array(permissionNode);
    },
  })
  .register(components, { id: 'Permission' });

/** The tree of all permissions, by path. A folder without a title shows its last segment. */
export function createPermissionTree(
  { permissions, folders }: PermissionTable,
  locale: Locale,
): PermissionNode[] {
  const root: PermissionNode[] = [];
  const nodes = new Map<string, PermissionNode>();
  const find = (path: string): PermissionNode => {
    const known = nodes.get(path);
    if (known) return known;
    const end = path.lastIndexOf('/');
    const title = folders[path]?.[locale] ?? path.slice(end + 1);
    const node = { path, title, read: false, write: false, sensitive: false, children: [] };
    nodes.set(path, node);
    (end < 0 ? root : find(path.slice(0, end)).children).push(node);
    return node;
  };
  for (const { path, kind, title, sensitive = false } of permissions) {
    const leaf = find(path);
    leaf.title = title[locale];
    leaf.sensitive ||= sensitive;
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
      find(path.slice(0, at))[kind] = true;
  }
  return root;
}
