import { settleAll } from '#shared/async/settle-all.ts';
import { getDictItem } from '#shared/dict/items.ts';
import { getDictType } from '#shared/dict/types.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { categoryType } from './dictionaries.ts';

/**
 * Makes sure that an operator may choose a category: its dictionary and itself are enabled. Whether it is
 * still there when the article is written, the transaction checks.
 *
 * @throws AppError `request.invalid`
 */
export async function assertOffered(category: string): Promise<void> {
  if (!(await isOffered(category))) throw refuseCategory();
}

/** The refusal of a category that is not in the dictionary, or not offered. */
export function refuseCategory(): AppError {
  return new AppError('request.invalid', {
    errors: [{ path: 'body.category', message: 'dict.item_not_found' }],
  });
}

async function isOffered(category: string): Promise<boolean> {
  try {
    const [type, item] = await settleAll([getDictType(categoryType), getDictItem(categoryType, category)]);
    return type.enabled && item.status === 'enabled';
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return false;
    throw error;
  }
}
