import { ConditionError } from '#shared/db/errors.ts';
import { transact } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { countCategories, countChildren, getFileCategory } from './category.ts';

/** Deletes an empty category. @throws AppError `file.category_not_found`, `file.category_not_empty` */
export async function deleteFileCategory(id: string): Promise<void> {
  const { parent_id } = await getFileCategory(id);
  const removal = {
    Delete: {
      Key: { ...keys.fileCategory(id) },
      ConditionExpression: 'file_count = :none AND child_count = :none',
      ExpressionAttributeValues: { ':none': 0 },
    },
  };
  try {
    await transact([removal, countCategories(-1), ...(parent_id ? [countChildren(parent_id, -1)] : [])]);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    await getFileCategory(id);
    throw new AppError('file.category_not_empty');
  }
}
