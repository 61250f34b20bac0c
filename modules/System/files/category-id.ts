import * as z from 'zod/mini';
import { label } from '#shared/schema/marks.ts';

// Apart from the file record, which the functions of categories do not need.

/** A category's ID; `''`, `0`, null and a missing value mean no category. */
export const fileCategoryId = label(
  z.pipe(
    z.optional(z.nullable(z.union([z.literal([0, '0', '']), z.ulid({ error: 'rule.id' })]))),
    z.transform((value) => (typeof value === 'string' && value.length > 1 ? value : null)),
  ),
);
