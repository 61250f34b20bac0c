import type { Item } from '#shared/db/items.ts';

/** The whole table, and the objects of all engines. */
export interface Holdings {
  items: Item[];
  /** Sizes of stored objects by engine and key, as `local uploads/…`. */
  objects: Map<string, number>;
  /** Unfinished things on the local disk: parts and drafts. */
  scraps: string[];
}

/** Returns a line for each violation. */
export type Invariant = (holdings: Holdings) => string[];

/** Items whose partition key begins so. */
export const under = ({ items }: Holdings, prefix: string): Item[] =>
  items.filter(({ pk }) => String(pk).startsWith(prefix));

/** How many items there are by an attribute. */
export function countBy(items: readonly Item[], attribute: string): (value: unknown) => number {
  const groups = Map.groupBy(items, (item) => item[attribute]);
  return (value) => groups.get(value)?.length ?? 0;
}

/** Items by primary key, as `pk sk`. */
export const byKey = ({ items }: Holdings): Map<string, Item> =>
  new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));

export const sum = (items: readonly Item[], attribute: string): number =>
  items.reduce((total, item) => total + Number(item[attribute] ?? 0), 0);

/** A line if two numbers differ. */
export const differ = (what: string, answered: unknown, found: unknown): string[] =>
  answered === found ? [] : [`${what}: answered ${String(answered)}, stored ${String(found)}`];
