import * as z from 'zod/mini';
import { defineEntity } from '#shared/db/entity.ts';
import { singleKey } from '#shared/db/items.ts';
import { mediaUrl } from '#shared/media/media-url.ts';
import { components } from '#shared/schema/component.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import type { EngineName } from '#shared/storage/engines.ts';
import { visibilities } from '#shared/storage/naming/object-path.ts';
import { listVariants } from '#shared/storage/naming/variant-link.ts';
import systemErrors from '../../errors.ts';
import { fileType } from '../file-type.ts';

/** IDs of files, without repeated ones. */
export const fileIds = titled(
  { zh_CN: '文件', en: 'Files', refersTo: 'system/file' },
  label(
    z.pipe(
      z.array(recordId).check(z.minLength(1), z.maxLength(50)),
      z.transform((ids) => [...new Set(ids)]),
    ),
  ),
);

/** Business module or tag of a file. */
export const fileTag = z._default(
  label(z.string().check(z.regex(/^[a-z0-9_-]{0,32}$/, { error: 'rule.tag' }))),
  '',
);

const uploader = z.strictObject({
  kind: titled(
    {
      zh_CN: '上传者类型',
      en: 'Kind of uploader',
      options: {
        admin: { zh_CN: '管理员', en: 'Administrator' },
        user: { zh_CN: '用户', en: 'User' },
        guest: { zh_CN: '游客', en: 'Guest' },
      },
    },
    z.enum(['admin', 'user', 'guest']),
  ),
  id: titled({ zh_CN: '上传者编号', en: 'ID of the uploader', type: 'id' }, z.nullable(z.string())),
});

/** Who may read a file. It never changes. */
export const visibility = titled(
  {
    zh_CN: '可见性',
    en: 'Visibility',
    options: {
      public: { zh_CN: '公开', en: 'Public' },
      private: { zh_CN: '私有：只能通过限时链接读取', en: 'Private: read by links of some minutes only' },
    },
  },
  z.enum(visibilities),
);

/** Addresses of a smaller picture by its size: `variantSizes` gives the pixels of the longer side. */
const variants = z.strictObject({
  thumb: titled({ zh_CN: '160 像素', en: '160 pixels' }, mediaUrl()),
  small: titled({ zh_CN: '320 像素', en: '320 pixels' }, mediaUrl()),
  medium: titled({ zh_CN: '640 像素', en: '640 pixels' }, mediaUrl()),
  large: titled({ zh_CN: '1280 像素', en: '1280 pixels' }, mediaUrl()),
  xlarge: titled({ zh_CN: '1920 像素', en: '1920 pixels' }, mediaUrl()),
});

/**
 * A file record as answered; `uri` and `url` are the same (specification, "File record"), and null for a private file:
 * `system/file/url` signs links to it.
 */
export const fileData = z
  .strictObject({
    id: titled({ zh_CN: '编号', en: 'ID', type: 'id' }, z.string()),
    cid: titled(
      { zh_CN: '分类', en: 'Category', type: 'id', refersTo: 'system/file/category' },
      z.nullable(z.string()),
    ),
    type: fileType,
    name: titled({ zh_CN: '名称', en: 'Name' }, z.string()),
    uri: titled({ zh_CN: '资源地址', en: 'URI' }, z.nullable(mediaUrl())),
    url: titled({ zh_CN: '访问地址', en: 'URL' }, z.nullable(mediaUrl())),
    variants: titled({ zh_CN: '缩略图', en: 'Variants' }, z.nullable(variants)),
    ext: titled({ zh_CN: '扩展名', en: 'Extension' }, z.string()),
    mime: titled({ zh_CN: '媒体类型', en: 'Media type' }, z.string()),
    size: titled({ zh_CN: '大小', en: 'Size', type: 'bytes' }, z.int()),
    visibility,
    module: titled({ zh_CN: '业务模块', en: 'Business module' }, z.string()),
    tag: titled({ zh_CN: '标签', en: 'Tag' }, z.string()),
    uploader: titled({ zh_CN: '上传者', en: 'Uploader' }, uploader),
    created_at: titled({ zh_CN: '上传时间', en: 'Uploaded', type: 'time' }, z.string()),
  })
  .register(components, { id: 'FileRecord' });
export type FileRecord = z.infer<typeof fileData>;
/** Who uploaded a file; a guest has no ID. */
export type Uploader = FileRecord['uploader'];

const engineName = z.custom<EngineName>((value) => typeof value === 'string');

/** A file record with the location of its object. */
export const storedFile = z.extend(z.omit(z.object(fileData.shape), { url: true, variants: true }), {
  engine: engineName,
  key: z.string(),
  /** @default 'public': those of earlier versions have none */
  visibility: z.optional(visibility),
  /** Engines that it was moved from and that still hold a copy of its object, at the same key. */
  kept_in: z.optional(z.array(engineName)),
});
export type StoredFile = z.infer<typeof storedFile>;

const item = z.extend(z.omit(storedFile, { uploader: true }), {
  cid: z._default(z.nullable(z.string()), null),
  uri: z._default(z.nullable(z.string()), null),
  uploader_kind: uploader.shape.kind,
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
  target: 'file',
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
  toAttributes: ({ uploader, cid, uri, ...file }) => ({
    ...file,
    name_lower: toSearchable(file.name),
    ...(cid && { cid }),
    ...(uri !== null && { uri }),
    uploader_kind: uploader.kind,
    ...(uploader.id && { uploader_id: uploader.id }),
  }),
  missing: () => systemErrors.create('file.not_found'),
});

/** The answered part of a stored file. */
export function toFileRecord({
  engine,
  key,
  kept_in,
  visibility = 'public',
  ...file
}: StoredFile): FileRecord {
  return { ...file, visibility, url: file.uri, variants: listVariants({ engine, key, uri: file.uri }) };
}

/** The form in which names and keywords are compared: lower case, composed. */
export const toSearchable = (text: string): string => text.normalize('NFC').toLowerCase();
