import { ConditionError } from '#shared/db/errors.ts';
import { updateItem } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { setAttributes } from '#shared/db/update.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { type FileCategory, getFileCategory } from './category.ts';

/** Gives a category another name. @throws AppError `file.category_not_found` */
export async function renameFileCategory(id: string, name: string): Promise<FileCategory> {
  try {
    await updateItem({
      Key: { ...keys.fileCategory(id) },
      ...setAttributes({ name }),
      ConditionExpression: 'attribute_exists(pk)',
    });
  } catch (error) {
    throw error instanceof ConditionError ? new AppError('file.category_not_found') : error;
  }
  return getFileCategory(id);
}
