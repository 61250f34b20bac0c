import * as z from 'zod/mini';
import type { PermissionTable } from '#shared/auth/permission.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { components } from '#shared/schema/component.ts';
import { titled } from '#shared/schema/titled.ts';

/** A folder, or a route or tool. */
export interface PermissionNode {
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
    path: titled({ zh_CN: '路径', en: 'Path' }, z.string()),
    title: titled({ zh_CN: '名称', en: 'Name' }, z.string()),
    read: titled({ zh_CN: '可读', en: 'Read' }, z.boolean()),
    write: titled({ zh_CN: '可写', en: 'Write' }, z.boolean()),
    sensitive: titled({ zh_CN: '敏感', en: 'Sensitive' }, z.boolean()),
    get children() {
      return titled({ zh_CN: '下级', en: 'Children' }, z.array(permissionNode));
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
