import * as z from 'zod/mini';
import { uploadTypes } from '#shared/config/upload.ts';
import { components } from '#shared/schema/component.ts';
import { label, secret } from '#shared/schema/marks.ts';
import { receivedFile } from '#shared/schema/received-file.ts';
import { integerText } from '#shared/schema/text.ts';
import { fileCategoryId } from '../record-id.ts';
import { fileTag } from '../records/file-record.ts';

/** The upload's own checks have more precise errors. */
const word = z.string();
/** It is cut to 100 characters later; this limit is longer than the names of any file system. */
const fileName = label(z.string().check(z.maxLength(20_000)));
const ticket = secret(z.string().check(z.minLength(1), z.maxLength(512)));
const sizeBytes = z.int().check(z.gte(0));

const place = { cid: fileCategoryId, module: fileTag, tag: fileTag };

export const fileForm = z.object({ type: word, file: receivedFile, ...place });

export const directBody = z.strictObject({ type: word, name: fileName, size: sizeBytes, ...place });

export const directData = z
  .strictObject({
    ticket: z.string(),
    method: z.literal('POST'),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    fields: z.record(z.string(), z.string()),
    file_field: z.string(),
    part_size: z.optional(z.int()),
    expires_at: z.string(),
  })
  .register(components, { id: 'DirectUpload' });

export const completeBody = z.strictObject({ ticket });
export const partQuery = z.object({ ticket });

/** All fields of a form are text, also the offset. */
export const partForm = z.object({
  ticket,
  offset: integerText(0, 9_999_999_999),
  file: receivedFile,
});

export const partData = z.strictObject({ offset: z.int() });

export const validateQuery = z.object({
  type: word,
  name: fileName,
  size: z.optional(integerText(0, 999_999_999_999_999)),
});

export const validateData = z.strictObject({
  allowed: z.literal(true),
  type: z.enum(uploadTypes),
  ext: z.string(),
  max_size: z.int(),
  extensions: z.array(z.string()),
  mode: z.enum(['form', 'direct']),
  form_limit: z.int(),
});
