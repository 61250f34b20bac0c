import {
  toMegabytes,
  type UploadExtension,
  type UploadLimits,
  type UploadType,
  uploadConfig,
  uploadTypes,
} from '#shared/config/upload.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** What a client states about a file before it sends bytes. */
export interface DeclaredUpload {
  type: string;
  /** The client's file name; may be anything. */
  name: string;
  sizeBytes: number;
}

export interface AcceptedUpload {
  type: UploadType;
  ext: UploadExtension;
}

/**
 * Checks type, extension and size (specification, "Processing steps for an upload", 1 and 2).
 *
 * The extension is the text after the last dot, in upper or lower case. It is not trimmed: with a space or a
 * control character at the end it is another extension, which no type allows.
 *
 * @param limits most bytes of each type; a file of exactly this size passes
 * @throws AppError `upload.type_unknown`, `upload.extension_not_allowed`, `upload.empty` below one byte,
 *   `upload.too_large` above the limit
 */
export function checkDeclared(
  { type: typeName, name, sizeBytes }: DeclaredUpload,
  limits: UploadLimits,
): AcceptedUpload {
  const type = uploadTypes.find((known) => known === typeName);
  if (!type) throw new AppError('upload.type_unknown', { params: { types: uploadTypes.join(', ') } });
  const { extensions }: { extensions: readonly UploadExtension[] } = uploadConfig[type];
  const given = toExtension(name);
  const ext = extensions.find((known) => known === given);
  if (!ext) {
    throw new AppError('upload.extension_not_allowed', { params: { extensions: extensions.join(', ') } });
  }
  // Also refuses NaN.
  if (!(sizeBytes >= 1)) throw new AppError('upload.empty');
  if (!(sizeBytes <= limits[type])) {
    throw new AppError('upload.too_large', { params: { limit: toMegabytes(limits[type]) } });
  }
  return { type, ext };
}

function toExtension(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : name.slice(dot + 1).toLowerCase();
}
