import type { UploadType } from '#shared/config/upload.ts';
import type { Item } from '#shared/db/items.ts';
import type { EngineName } from '#shared/storage/engines.ts';

/** Who uploaded a file; a guest has no ID. */
export interface Uploader {
  kind: 'admin' | 'user' | 'guest';
  id: string | null;
}

/** A file record as answered; `uri` and `url` are the same (specification, "File record"). */
export interface FileRecord {
  id: string;
  cid: string | null;
  type: UploadType;
  name: string;
  uri: string;
  url: string;
  ext: string;
  mime: string;
  size: number;
  module: string;
  tag: string;
  uploader: Uploader;
  created_at: string;
}

/** A file record as stored: besides, where its object lies. */
export interface StoredFile extends Omit<FileRecord, 'url'> {
  engine: EngineName;
  key: string;
}

/** A file's item as it was stored. */
export function toStoredFile(item: Item): StoredFile {
  const { id, cid = null, type, name, uri, ext, mime, size, module, tag, engine, key, created_at } = item;
  const uploader = { kind: item.uploader_kind, id: item.uploader_id ?? null };
  return {
    id,
    cid,
    type,
    name,
    uri,
    ext,
    mime,
    size,
    module,
    tag,
    uploader,
    engine,
    key,
    created_at,
  } as StoredFile;
}

/** The answered part of a stored file, in the order of the specification. */
export function toFileRecord(file: StoredFile): FileRecord {
  const { id, cid, type, name, uri, ext, mime, size, module, tag, uploader, created_at } = file;
  return { id, cid, type, name, uri, url: uri, ext, mime, size, module, tag, uploader, created_at };
}
