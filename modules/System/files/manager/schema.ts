import * as z from 'zod/mini';
import { text } from '#shared/schema/text.ts';

/** Most files of one request. */
const maxFiles = 50;

export const fileId = z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, { error: 'rule.id' }));

/** IDs of files; one that stands there twice counts once. */
export const fileIds = z.pipe(
  z.array(fileId).check(z.minLength(1), z.maxLength(maxFiles)),
  z.transform((ids) => [...new Set(ids)]),
);

/** Where files shall lie; `''`, `0` and null stand for no category. It has to be said. */
export const targetCategory = z.pipe(
  z.nullable(
    z.union([z.literal([0, '0', '']), z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/))], {
      error: 'rule.id',
    }),
  ),
  z.transform((value) => (typeof value === 'string' && value.length > 1 ? value : null)),
);

/** The name that a file is shown by; its extension is free. */
export const fileName = text(1, 100);

/** Part of a name. */
export const fileKeyword = text(1, 100);
