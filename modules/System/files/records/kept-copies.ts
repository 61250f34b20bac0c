import type { Item } from '#shared/db/items.ts';
import { type EngineName, engineNames } from '#shared/storage/engines.ts';

/** Attribute of a file's item: engines that it was moved out of and that still hold a copy of its object. */
export const keptInAttribute = 'kept_in';

/** The engines that hold copies of a file's object, at the same key, besides the one that it lies in. */
export function keptIn(item: Item): EngineName[] {
  const kept = item[keptInAttribute];
  return engineNames.filter((name) => Array.isArray(kept) && kept.includes(name));
}
