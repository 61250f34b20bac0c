import { ulid } from 'ulid';
import { ConditionError } from '#shared/db/errors.ts';
import { getItem, transact } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { unfitCategory } from './assert-category.ts';
import {
  countCategories,
  countChildren,
  type FileCategory,
  maxCategories,
  maxCategoryDepth,
  toFileCategory,
} from './category.ts';

export type NewFileCategory = Omit<FileCategory, 'id'>;

/**
 * Adds a category.
 *
 * @throws AppError `request.invalid` at `body.parent_id` for a parent that is not there, is of another type or
 *   on the last level; at `body` where there are as many categories as there may be
 */
export async function addFileCategory(input: NewFileCategory): Promise<FileCategory> {
  const { parent_id } = input;
  const depth = parent_id ? await depthBelow(parent_id, input.type) : 1;
  const id = ulid();
  const Item = { ...keys.fileCategory(id), id, ...input, depth, file_count: 0, child_count: 0 };
  try {
    await transact([
      { Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } },
      countCategories(1),
      ...(parent_id ? [countChildren(parent_id, 1)] : []),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    throw error.failed.includes(1) ? tooMany() : unfitCategory('body.parent_id');
  }
  return toFileCategory(Item);
}

/** The level below a category. A category keeps parent and type for good, so what is read here stays true. */
async function depthBelow(parentId: string, type: string): Promise<number> {
  const parent = await getItem(keys.fileCategory(parentId));
  if (parent?.type !== type) throw unfitCategory('body.parent_id');
  const depth = Number(parent.depth) + 1;
  if (depth <= maxCategoryDepth) return depth;
  throw new AppError('request.invalid', {
    errors: [{ path: 'body.parent_id', message: 'rule.category_depth' }],
    params: { max: maxCategoryDepth },
  });
}

function tooMany(): AppError {
  return new AppError('request.invalid', {
    errors: [{ path: 'body', message: 'rule.category_limit' }],
    params: { max: maxCategories },
  });
}
