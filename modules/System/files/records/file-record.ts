import * as z from 'zod/mini';
import { uploadTypes } from '#shared/config/upload.ts';
import { defineEntity } from '#shared/db/entity.ts';
import { singleKey } from '#shared/db/items.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { components } from '#shared/schema/component.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId } from '#shared/schema/text.ts';
import type { EngineName } from '#shared/storage/engines.ts';
import systemErrors from '../../errors.ts';

/** IDs of files, without repeated ones. */
export const fileIds = label(
  z.pipe(
    z.array(recordId).check(z.minLength(1), z.maxLength(50)),
    z.transform((ids) => [...new Set(ids)]),
  ),
);

/** Business module or tag of a file. */
export const fileTag = z._default(
  label(z.string().check(z.regex(/^[a-z0-9_-]{0,32}$/, { error: 'rule.tag' }))),
  '',
);

/** A file record as answered; `uri` and `url` are the same (specification, "File record"). */
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
export type FileRecord = z.infer<typeof fileData>;
/** Who uploaded a file; a guest has no ID. */
export type Uploader = FileRecord['uploader'];

const engineName = z.custom<EngineName>((value) => typeof value === 'string');

/** A file record with the place of its object. */
export const storedFile = z.extend(z.omit(z.object(fileData.shape), { url: true }), {
  engine: engineName,
  key: z.string(),
  /** Engines that it was moved from and that still hold a copy of its object, at the same key. */
  kept_in: z.optional(z.array(engineName)),
});
export type StoredFile = z.infer<typeof storedFile>;

const item = z.extend(z.omit(storedFile, { uploader: true }), {
  cid: z._default(z.nullable(z.string()), null),
  uploader_kind: fileData.shape.uploader.shape.kind,
  uploader_id: z._default(z.nullable(z.string()), null),
});

const sk = ({ id }: { id: string }) => id;

export const files = defineEntity({
  row: z.pipe(
    item,
    z.transform(({ uploader_kind: kind, uploader_id: id, ...file }): StoredFile => {
      return { ...file, uploader: { kind, id } };
    }),
  ),
  key: ({ id }: { id: string }) => singleKey(`FILE#${id}`),
  indexes: {
    byCreation: { name: 'gsi1', pk: () => 'FILE', sk },
    byCategory: {
      name: 'gsi2',
      pk: ({ cid }: Pick<StoredFile, 'cid'>) => (cid ? `FILE_CATEGORY#${cid}` : undefined),
      sk,
    },
    byType: { name: 'gsi3', pk: ({ type }: Pick<StoredFile, 'type'>) => `FILE_TYPE#${type}`, sk },
  },
  toAttributes: ({ uploader, cid, ...file }) => ({
    ...file,
    name_lower: toSearchable(file.name),
    ...(cid && { cid }),
    uploader_kind: uploader.kind,
    ...(uploader.id && { uploader_id: uploader.id }),
  }),
  missing: () => systemErrors.create('file.not_found'),
});

/** The answered part of a stored file. */
export function toFileRecord({ engine, key, kept_in, ...file }: StoredFile): FileRecord {
  return { ...file, url: file.uri };
}

/** The form in which names and keywords are compared: lower case, composed. */
export const toSearchable = (text: string): string => text.normalize('NFC').toLowerCase();
