import * as z from 'zod/mini';
import { type UploadType, uploadTypes } from '#shared/config/upload.ts';
import { defineEntity } from '#shared/db/entity.ts';
import { getItem, type Refusal, type Write } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { components } from '#shared/schema/component.ts';
import { text } from '#shared/schema/text.ts';
import systemErrors from '../../errors.ts';

export const categoryId = z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, { error: 'rule.id' }));
export const categoryName = text(1, 50);

/** A category as answered. Its item also holds its level and the numbers of its files and child categories. */
export const categoryData = z
  .strictObject({
    id: categoryId,
    name: categoryName,
    type: z.enum(uploadTypes),
    /** Null at the top. */
    parent_id: z.nullable(categoryId),
  })
  .register(components, { id: 'FileCategory' });
export type FileCategory = z.infer<typeof categoryData>;

export const categories = defineEntity({
  row: z.object({ ...categoryData.shape, name: z.string() }),
  key: ({ id }: { id: string }) => ({ pk: 'FILE_CATEGORY', sk: id }),
  missing: () => systemErrors.create('file.category_not_found'),
});

/** Adds to a category's number of files. The write fails if there is no such category of this type. */
export const countFiles = (cid: string, by: 1 | -1, type: UploadType, refusal?: Refusal): Write =>
  changeItem(categories.key({ id: cid }), { add: { file_count: by }, expect: { type } }, refusal);

/**
 * Checks that a category exists and takes files of a type. `addFile` checks it again when it writes.
 *
 * @param cid null for no category
 * @throws AppError `request.invalid` at `body.cid` for an unknown category, or one of another type
 */
export async function assertCategory(cid: string | null, type: UploadType): Promise<void> {
  if (cid === null) return;
  const category = await getItem(categories.key({ id: cid }));
  if (category?.type !== type) throw unfitCategory('body.cid');
}

/** The error for a category that does not exist or is of another type. */
export function unfitCategory(path: string, cause?: unknown): AppError {
  return new AppError('request.invalid', { cause, errors: [{ path, message: 'rule.category' }] });
}
