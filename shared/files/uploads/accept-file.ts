import { mimeTypes, type UploadLimits, uploadLimits } from '#shared/config/upload.ts';
import { upload } from '#shared/settings/groups/upload.ts';
import { readSettings } from '#shared/settings/store.ts';
import {
  type AcceptedUpload,
  checkDeclared,
  type DeclaredUpload,
} from '#shared/storage/checks/check-declared.ts';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { keepOriginalName } from '#shared/storage/naming/keep-original-name.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import type { Uploader } from '../records/file-record.ts';
import type { NewUpload } from './upload-record.ts';

/** What a client says of the place of a file. */
export interface FilePlace {
  cid: string | null;
  module: string;
  tag: string;
}

/** Most bytes of each type: the operator's, else the static configuration's. */
export async function readLimits(): Promise<UploadLimits> {
  const { image_max_size, video_max_size, file_max_size } = await readSettings(upload);
  return {
    image: image_max_size || uploadLimits.image,
    video: video_max_size || uploadLimits.video,
    file: file_max_size || uploadLimits.file,
  };
}

/**
 * Checks what is known of a file before its bytes are: steps 1 and 2 of an upload.
 *
 * @throws AppError as {@link checkDeclared}
 */
export async function acceptDeclared(declared: DeclaredUpload): Promise<AcceptedUpload> {
  return checkDeclared(declared, await readLimits());
}

/** The record that a file is going to have in an engine, at a new path (step 4). */
export function describeUpload(
  engine: StorageEngine,
  { type, ext }: AcceptedUpload,
  { name, sizeBytes }: DeclaredUpload,
  place: FilePlace,
  uploader: Uploader,
): NewUpload {
  const key = createObjectPath({ type, ext });
  return {
    ...place,
    type,
    ext,
    key,
    engine: engine.name,
    uri: engine.publicUrl(key),
    name: keepOriginalName(name),
    mime: mimeTypes[ext],
    size: sizeBytes,
    uploader,
  };
}
