import { ConditionError } from '#shared/db/errors.ts';
import { updateItem } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { setAttributes } from '#shared/db/update.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { keepOriginalName } from '#shared/storage/naming/keep-original-name.ts';
import { type FileRecord, toFileRecord } from '../records/file-record.ts';
import { toSearchable } from '../records/searchable.ts';
import { findFile } from './find-file.ts';

/** Gives a file another name to be shown by; its object stays where it is. @throws AppError `file.not_found` */
export async function renameFile(id: string, given: string): Promise<FileRecord> {
  const name = keepOriginalName(given);
  try {
    await updateItem({
      Key: { ...keys.file(id) },
      ...setAttributes({ name, name_lower: toSearchable(name) }),
      ConditionExpression: 'attribute_exists(pk)',
    });
  } catch (error) {
    throw error instanceof ConditionError ? new AppError('file.not_found') : error;
  }
  const file = await findFile(id);
  if (!file) throw new AppError('file.not_found');
  return toFileRecord(file);
}
