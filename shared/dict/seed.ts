import { ConditionError } from '#shared/db/errors.ts';
import { transact } from '#shared/db/items.ts';
import { changing } from './cache.ts';
import type { ImportItem } from './import.ts';
import { createDictItem, putNew } from './items.ts';
import { createDictType, putNewType } from './types.ts';

/** A dictionary that a module brings along. */
export interface DictSeed {
  type_key: string;
  name: string;
  /** Whether open readers may see it. */
  public: boolean;
  /** At most 99: they are created with their type, all or nothing. */
  items: readonly ImportItem[];
}

/**
 * Creates a dictionary with its items, all or nothing; one that exists stays as the operators made it.
 *
 * @returns whether it was created
 */
export async function seedDictionary({ items, ...input }: DictSeed): Promise<boolean> {
  const { type_key } = input;
  const type = { ...createDictType({ ...input, enabled: true }), item_count: items.length };
  const writes = [putNewType(type), ...items.map((item) => putNew(createDictItem({ ...item, type_key })))];
  try {
    await changing([type_key], () => transact(writes));
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
}
