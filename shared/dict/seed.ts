import { toItem } from '#shared/db/entity.ts';
import { holds, transact } from '#shared/db/items.ts';
import { beside } from '#shared/db/record-facts.ts';
import { putNew } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { ImportItem } from './import.ts';
import { addDictItem, createDictItem, dictItems, listDictItems } from './items.ts';
import { createDictType, dictTypes } from './types.ts';

/** A dictionary that a module declares. */
export interface DictSeed {
  type_key: string;
  name: string;
  /** Whether callers without a login may read it. */
  public: boolean;
  /** At most 97: one transaction creates them with their type. */
  items: readonly ImportItem[];
}

/** Creates a dictionary with its items, all or nothing. Returns false, and changes nothing, if it exists. */
export function seedDictionary({ items, ...input }: DictSeed): Promise<boolean> {
  const type = { ...createDictType({ ...input, enabled: true }), item_count: items.length };
  const seeds = items.map((item) => createDictItem({ ...item, type_key: input.type_key }));
  const rows = [toItem(dictTypes, type), ...seeds.map((item) => beside(toItem(dictItems, item)))];
  return holds(transact(rows.map((item) => putNew(item))));
}

/**
 * Adds the items of a seed that its dictionary lacks, and returns their values. Existing items are not changed.
 *
 * @throws AppError `dict.type_not_found`, `dict.type_full`
 */
export async function restoreItems({ type_key, items }: DictSeed): Promise<string[]> {
  const present = new Set((await listDictItems(type_key)).map(({ value }) => value));
  const missing = items.filter(({ value }) => !present.has(value));
  const added: string[] = [];
  for (const item of missing) {
    try {
      await addDictItem({ ...item, type_key });
      added.push(item.value);
    } catch (error) {
      const wasAdded = error instanceof AppError && error.code === 'dict.value_exists';
      if (!wasAdded) throw error;
    }
  }
  return added;
}
