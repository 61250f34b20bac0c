import { mimeTypes } from '#shared/config/upload.ts';
import type { AcceptedUpload, DeclaredUpload } from '#shared/storage/checks/check-declared.ts';
import type { NamedEngine } from '#shared/storage/engines.ts';
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

/** The record that a file is going to have in an engine, at a new path (step 4). */
export function describeUpload(
  engine: NamedEngine,
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
