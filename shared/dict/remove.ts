import { AppError } from '#shared/errors/app-error.ts';
import { importDictItems } from './import.ts';
import { deleteDictType } from './types.ts';

/**
 * Removes a dictionary with all its items, whoever made them, in transactions of up to 100 writes; repeating
 * an interrupted removal finishes it.
 *
 * @returns whether there was one
 * @throws AppError `dict.value_in_use`, before anything is removed, while records refer to one of its values;
 *   `dict.import_running` while the type is imported; `version_conflict` or `dict.type_not_empty` when others keep writing to it
 */
export async function removeDictionary(typeKey: string): Promise<boolean> {
  try {
    await importDictItems(typeKey, [], 'replace');
    await deleteDictType(typeKey);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'dict.type_not_found') return false;
    throw error;
  }
}
