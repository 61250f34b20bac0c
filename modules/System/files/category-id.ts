import * as z from 'zod/mini';
import { label } from '#shared/schema/marks.ts';
import { titled } from '#shared/schema/titled.ts';

// Apart from the file record, which the functions of categories do not need.

/** `''` and 0 mean no category too. */
export const toCategoryId = z.transform((given) =>
  ['', '0', 0].some((none) => none === given) ? null : given,
);

/** A category's ID; null and a missing value mean no category. */
export const fileCategoryId = titled(
  {
    zh_CN: '分类',
    en: 'Category',
    type: 'id',
    refersTo: 'system/file/category',
    alsoAccepts: ['', '0', 0],
  },
  label(z.pipe(toCategoryId, z._default(z.nullable(z.ulid({ error: 'rule.id' })), null))),
);
