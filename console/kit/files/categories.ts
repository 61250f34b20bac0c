import type { UploadType } from '#shared/config/upload.ts';

export interface Category {
  id: string;
  name: string;
  type: UploadType;
  parent_id: string | null;
}

/** What of the files is shown: all, those of a type, or those of a category. */
export interface Place {
  type?: UploadType | undefined;
  /** Then `type` is its type. */
  cid?: string | undefined;
}

export interface CategoryNode {
  /** ID of the category, or name of the type, or `all`. */
  key: string;
  label: string;
  place: Place;
  category?: Category;
  children: CategoryNode[];
}

/** The categories of a type as a tree, in their order. One whose parent is missing stands at the top. */
export function toCategoryTree(categories: readonly Category[], type: UploadType): CategoryNode[] {
  const own = categories.filter((category) => category.type === type);
  const nodes = new Map<string, CategoryNode>(
    own.map((category) => {
      const { id, name } = category;
      return [id, { key: id, label: name, place: { type, cid: id }, category, children: [] }];
    }),
  );
  const roots: CategoryNode[] = [];
  for (const { id, parent_id } of own) {
    const siblings = nodes.get(parent_id ?? '')?.children ?? roots;
    const node = nodes.get(id);
    if (node) siblings.push(node);
  }
  return roots;
}

export const keyOfPlace = ({ type, cid }: Place): string => cid ?? type ?? 'all';

/** Names from the top to a category: `Summer / Beach`. */
export function pathOfCategory(categories: readonly Category[], id: string | null): string {
  const names: string[] = [];
  let next = categories.find((category) => category.id === id);
  while (next && names.length < 10) {
    names.unshift(next.name);
    const { parent_id } = next;
    next = categories.find((category) => category.id === parent_id);
  }
  return names.join(' / ');
}

/** The one type of several files; undefined if they differ. */
export function commonType(files: readonly { type: UploadType }[]): UploadType | undefined {
  const [first] = files;
  return first && files.every(({ type }) => type === first.type) ? first.type : undefined;
}
