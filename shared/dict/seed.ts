import { AppError } from '#shared/errors/app-error.ts';
import { type ImportItem, importDictItems } from './import.ts';
import { addDictType } from './types.ts';

/** A dictionary that a module brings along. */
export interface DictSeed {
  type_key: string;
  name: string;
  /** Whether open readers may see it. */
  public: boolean;
  items: readonly ImportItem[];
}

/**
 * Creates a dictionary with its items; one that exists stays as the operators made it.
 *
 * @returns whether it was created
 */
export async function seedDictionary({ items, ...type }: DictSeed): Promise<boolean> {
  try {
    await addDictType({ ...type, enabled: true });
  } catch (error) {
    if (error instanceof AppError && error.code === 'dict.type_exists') return false;
    throw error;
  }
  await importDictItems(type.type_key, [...items], 'merge');
  return true;
}
