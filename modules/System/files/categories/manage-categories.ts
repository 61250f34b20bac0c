import { ulid } from 'ulid';
import type { UploadType } from '#shared/config/upload.ts';
import { changeRow, getRow, toItem, toRow } from '#shared/db/entity.ts';
import { getItem, queryPartition, type Refusal, transact, type Write } from '#shared/db/items.ts';
import { changeItem, putNew, removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../../errors.ts';
import { categories, type FileCategory, unfitCategory } from './category.ts';

/** Most categories in all. */
export const maxCategories = 1000;
/** Most levels of categories; those without a parent are on the first. */
const maxCategoryDepth = 5;

/** The item with the number of all categories: in their partition, with an ID that no category can have. */
export const categoryTotalKey = categories.key({ id: '#total' });

/** All categories, or those of one type, oldest first. */
export async function listFileCategories(type?: UploadType): Promise<FileCategory[]> {
  const items = await queryPartition(categoryTotalKey.pk);
  const own = items.filter(
    (item) => item.sk !== categoryTotalKey.sk && (type === undefined || item.type === type),
  );
  return own.map((item) => toRow(categories, item));
}

/**
 * Adds a category.
 *
 * @throws AppError `request.invalid` at `body.parent_id` for a parent that does not exist, is of another type or
 *   on the last level; at `body` if the limit of categories is reached
 */
export async function addFileCategory(input: Omit<FileCategory, 'id'>): Promise<FileCategory> {
  const { parent_id } = input;
  const depth = parent_id ? await depthBelow(parent_id, input.type) : 1;
  const category = { id: ulid(), ...input };
  const unfit = () => unfitCategory('body.parent_id');
  await transact([
    putNew({ ...toItem(categories, category), depth, file_count: 0, child_count: 0 }),
    countCategories(1),
    ...(parent_id ? [countChildren(parent_id, 1, unfit)] : []),
  ]);
  return category;
}

/** The level below a category. Its parent and type never change, so the result stays true. */
async function depthBelow(parentId: string, type: string): Promise<number> {
  const parent = await getItem(categories.key({ id: parentId }));
  if (parent?.type !== type) throw unfitCategory('body.parent_id');
  const depth = Number(parent.depth) + 1;
  if (depth <= maxCategoryDepth) return depth;
  throw new AppError('request.invalid', {
    errors: [{ path: 'body.parent_id', message: 'rule.category_depth' }],
    params: { max: maxCategoryDepth },
  });
}

/** @throws AppError `file.category_not_found` */
export async function renameFileCategory(id: string, name: string): Promise<FileCategory> {
  await changeRow(categories, { id }, { set: { name } });
  return getRow(categories, { id });
}

/** Deletes an empty category. @throws AppError `file.category_not_found`, `file.category_not_empty` */
export async function deleteFileCategory(id: string): Promise<void> {
  const { parent_id } = await getRow(categories, { id });
  const refuse = async () => {
    await getRow(categories, { id });
    return systemErrors.create('file.category_not_empty');
  };
  await transact([
    removeItem(categories.key({ id }), { expect: { file_count: 0, child_count: 0 } }, refuse),
    countCategories(-1),
    ...(parent_id ? [countChildren(parent_id, -1, refuse)] : []),
  ]);
}

/** Adds to the number of all categories. The write fails above the limit. */
function countCategories(by: 1 | -1): Write {
  const tooMany = () =>
    new AppError('request.invalid', {
      errors: [{ path: 'body', message: 'rule.category_limit' }],
      params: { max: maxCategories },
    });
  return changeItem(categoryTotalKey, { add: { count: by }, atMost: { count: maxCategories - by } }, tooMany);
}

const countChildren = (parentId: string, by: 1 | -1, refusal: Refusal): Write =>
  changeItem(categories.key({ id: parentId }), { add: { child_count: by }, expect: {} }, refusal);
