import * as z from 'zod/mini';
import { uploadTypes } from '#shared/config/upload.ts';
import { components } from '#shared/schema/component.ts';
import { text } from '#shared/schema/text.ts';

export const categoryId = z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, { error: 'rule.id' }));
export const categoryName = text(1, 50);

/** `data` that is a category of files. */
export const categoryData = z
  .strictObject({
    id: categoryId,
    name: categoryName,
    type: z.enum(uploadTypes),
    parent_id: z.nullable(categoryId),
  })
  .register(components, { id: 'FileCategory' });
