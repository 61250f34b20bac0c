import * as z from 'zod/mini';
import { uploadTypes } from '#shared/config/upload.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { components } from '#shared/schema/component.ts';

const tagPattern = /^[a-z0-9_-]{0,32}$/;

/** Business module or tag of a file. */
export const fileTag = z._default(z.string().check(z.regex(tagPattern, { error: 'rule.tag' })), '');

/** A category's ID; `''`, `0` and nothing stand for no category. */
export const fileCategoryId = z.pipe(
  z.optional(z.nullable(z.union([z.literal([0, '0', '']), z.ulid({ error: 'rule.id' })]))),
  z.transform((value) => (typeof value === 'string' && value.length > 1 ? value : null)),
);

/** `data` that is a file record. */
export const fileData = z
  .strictObject({
    id: z.string(),
    cid: z.nullable(z.string()),
    type: z.enum(uploadTypes),
    name: z.string(),
    uri: mediaUrl(),
    url: mediaUrl(),
    ext: z.string(),
    mime: z.string(),
    size: z.int(),
    module: z.string(),
    tag: z.string(),
    uploader: z.strictObject({ kind: z.enum(['admin', 'user', 'guest']), id: z.nullable(z.string()) }),
    created_at: z.string(),
  })
  .register(components, { id: 'FileRecord' });
