import * as z from 'zod/mini';
import { text } from '#shared/schema/text.ts';

export const fileId = z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, { error: 'rule.id' }));

/** IDs of files, without repeated ones. */
export const fileIds = z.pipe(
  z.array(fileId).check(z.minLength(1), z.maxLength(50)),
  z.transform((ids) => [...new Set(ids)]),
);

/** The new category of files; `''`, `0` and null mean no category. Required. */
export const targetCategory = z.pipe(
  z.nullable(z.union([z.literal([0, '0', '']), fileId], { error: 'rule.id' })),
  z.transform((value) => (typeof value === 'string' && value.length > 1 ? value : null)),
);

/** The name that a file is shown by, with any extension. */
export const fileName = text(1, 100);

export const fileKeyword = text(1, 100);
