import type { UploadType } from '#shared/config/upload.ts';
import { getItem } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';

/**
 * Makes sure that files of a type may lie in a category. It may be gone a moment later: the writes of
 * `addFile` hold their own condition.
 *
 * @param cid null for no category
 * @throws AppError `request.invalid` at `body.cid` for an unknown category, or one of another type
 */
export async function assertCategory(cid: string | null, type: UploadType): Promise<void> {
  if (cid === null) return;
  const category = await getItem(keys.fileCategory(cid));
  if (category?.type !== type) throw unfitCategory('body.cid');
}

/** The refusal of a category that is not there, or is of another type than what shall lie in it. */
export function unfitCategory(path: string): AppError {
  return new AppError('request.invalid', { errors: [{ path, message: 'rule.category' }] });
}
