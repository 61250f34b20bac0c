import { ulid } from 'ulid';
import * as z from 'zod/mini';
import type { UploadType } from '#shared/config/upload.ts';
import { changeRow, defineEntity, getRow, toItem, toRow } from '#shared/db/entity.ts';
import { getItem, queryPartition, type Refusal, transact, type Write } from '#shared/db/items.ts';
import { beside } from '#shared/db/record-facts.ts';
import { changeItem, putNew, removeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { components } from '#shared/schema/component.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId, text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import systemErrors from '../errors.ts';
import { fileType } from './file-type.ts';

/** Most categories in all. */
export const maxCategories = 1000;
/** Most levels of categories; those without a parent are on the first. */
const maxCategoryDepth = 5;

export const categoryName = titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 50)));
/** The category above; null at the top. */
const parentId = titled(
  { zh_CN: '上级分类', en: 'Parent category', refersTo: 'system/file/category' },
  z.nullable(recordId),
);

/** A category as answered. Its item also holds its level and the numbers of its files and child categories. */
export const categoryData = z
  .strictObject({
    id: recordId,
    name: categoryName,
    type: fileType,
    parent_id: parentId,
  })
  .register(components, { id: 'FileCategory' });
type FileCategory = z.infer<typeof categoryData>;

export const categories = defineEntity({
  row: z.object({ ...categoryData.shape, name: z.string() }),
  key: ({ id }: { id: string }) => ({ pk: 'FILE_CATEGORY', sk: id }),
  target: 'file_category',
  missing: () => systemErrors.create('file.category_not_found'),
});

/** The item with the number of all categories: in their partition, with an ID that no category can have. */
export const categoryTotalKey = beside(categories.key({ id: '#total' }));

/** Adds to a category's number of files. The write fails if there is no such category of this type. */
export const countFiles = (cid: string, by: 1 | -1, type: UploadType, refusal?: Refusal): Write =>
  changeItem(beside(categories.key({ id: cid })), { add: { file_count: by }, expect: { type } }, refusal);

/**
 * Checks that a category, if not null, takes files of a type. `addFile` checks it again when it writes.
 * @throws AppError `request.invalid` at `body.cid` for an unknown category, or one of another type
 */
export async function assertCategory(cid: string | null, type: UploadType): Promise<void> {
  if (cid === null) return;
  const category = await getItem(categories.key({ id: cid }));
  if (category?.type !== type) throw wrongCategory('body.cid');
}

/** The error for a category that does not exist or is of another type. */
export const wrongCategory = (path: string, cause?: unknown): AppError =>
  new AppError('request.invalid', { cause, errors: [{ path, message: 'rule.category' }] });

/** All categories, or those of one type, oldest first. */
export async function listFileCategories(type?: UploadType): Promise<FileCategory[]> {
  const items = await queryPartition(categoryTotalKey.pk);
  return items
    .filter((item) => item.sk !== categoryTotalKey.sk && (type === undefined || item.type === type))
    .map((item) => toRow(categories, item));
}

/**
 * Adds a category. @throws AppError `request.invalid`: at `body.parent_id` for a parent that does not exist, is of
 * another type or on the last level; at `body` if the limit of categories is reached
 */
export async function addFileCategory(input: Omit<FileCategory, 'id'>): Promise<FileCategory> {
  const { parent_id } = input;
  const depth = parent_id ? await depthBelow(parent_id, input.type) : 1;
  const category = { id: ulid(), ...input };
  const refuse = () => wrongCategory('body.parent_id');
  await transact([
    putNew({ ...toItem(categories, category), depth, file_count: 0, child_count: 0 }),
    countCategories(1),
    ...(parent_id ? [countChildren(parent_id, 1, refuse)] : []),
  ]);
  return category;
}

/** The level below a category. Its parent and type never change, so the result stays true. */
async function depthBelow(parentId: string, type: string): Promise<number> {
  const parent = await getItem(categories.key({ id: parentId }));
  if (parent?.type !== type) throw wrongCategory('body.parent_id');
  const depth = Number(parent.depth) + 1;
  if (depth > maxCategoryDepth) throw aboveLimit('body.parent_id', 'rule.category_depth', maxCategoryDepth);
  return depth;
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
const countCategories = (by: 1 | -1): Write =>
  changeItem(categoryTotalKey, { add: { count: by }, atMost: { count: maxCategories - by } }, () =>
    aboveLimit('body', 'rule.category_limit', maxCategories),
  );

const countChildren = (parentId: string, by: 1 | -1, refusal: Refusal): Write =>
  changeItem(beside(categories.key({ id: parentId })), { add: { child_count: by }, expect: {} }, refusal);

const aboveLimit = (path: string, message: string, max: number): AppError =>
  new AppError('request.invalid', { errors: [{ path, message }], params: { max } });
