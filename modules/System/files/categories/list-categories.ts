import type { UploadType } from '#shared/config/upload.ts';
import { queryPartition } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { categoryTotalKey, type FileCategory, toFileCategory } from './category.ts';

/** All categories, of one type where it is given, oldest first. */
export async function listFileCategories(type?: UploadType): Promise<FileCategory[]> {
  const items = await queryPartition(keys.fileCategories);
  return items
    .filter((item) => item.sk !== categoryTotalKey.sk && (type === undefined || item.type === type))
    .map(toFileCategory);
}
