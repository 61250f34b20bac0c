import type { UploadType } from '#shared/config/upload.ts';
import { getItem, type Item, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** Most categories in all. */
export const maxCategories = 1000;
/** Most levels of categories; one without a parent is on the first. */
export const maxCategoryDepth = 5;

/** A category of files, as answered. */
export interface FileCategory {
  id: string;
  name: string;
  type: UploadType;
  /** Null at the top. */
  parent_id: string | null;
}

/** The item of a category as it was stored; besides, it counts its files and child categories. */
export function toFileCategory({ id, name, type, parent_id = null }: Item): FileCategory {
  return { id, name, type, parent_id } as FileCategory;
}

/** @throws AppError `file.category_not_found` */
export async function getFileCategory(id: string): Promise<FileCategory> {
  const item = await getItem(keys.fileCategory(id));
  if (!item) throw new AppError('file.category_not_found');
  return toFileCategory(item);
}

/** Where the number of all categories lies: among them, where no ID can be. */
export const categoryTotalKey = keys.fileCategory('#total');

/** The write that counts all categories; its condition fails where there would be more than there may be. */
export function countCategories(by: 1 | -1): Write {
  return {
    Update: {
      Key: { ...categoryTotalKey },
      UpdateExpression: 'ADD #count :by',
      ConditionExpression: 'attribute_not_exists(#count) OR #count <= :room',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':by': by, ':room': maxCategories - by },
    },
  };
}

/** The write that counts child categories; its condition fails where there is no such parent. */
export function countChildren(parentId: string, by: 1 | -1): Write {
  return {
    Update: {
      Key: { ...keys.fileCategory(parentId) },
      UpdateExpression: 'ADD child_count :by',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':by': by },
    },
  };
}
