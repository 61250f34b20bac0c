import * as z from 'zod/mini';
import { label } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';

// Apart from the file record, which the functions of categories do not need.

/** A category's ID; `''`, `0`, null and a missing value mean no category. */
export const fileCategoryId = titled(
  { zh_CN: '分类', en: 'Category', type: 'id', refersTo: 'system/file/category' },
  label(
    z.pipe(
      z.optional(z.nullable(z.union([z.literal([0, '0', '']), z.ulid({ error: 'rule.id' })]))),
      z.transform((value) => (typeof value === 'string' && value.length > 1 ? value : null)),
    ),
  ),
);
