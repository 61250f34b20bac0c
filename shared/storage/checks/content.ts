import type { UploadExtension } from '#shared/config/upload.ts';
import { AppError } from '#shared/errors/app-error.ts';

export interface ContentSource {
  /** The extension that it was accepted as. */
  ext: UploadExtension;
  /** Its real size, never the declared one. */
  sizeBytes: number;
  /** The bytes from `start` up to, not including, `end`. */
  readRange(start: number, end: number): Promise<Uint8Array>;
}

/** A file with its first 4 KiB, or all of it if it is smaller. */
export interface OpenContent extends ContentSource {
  head: Uint8Array;
}

export const contentMismatch = (cause?: unknown): AppError =>
  new AppError('upload.content_mismatch', { cause });

/** The error for a file that runs or fetches something. @param found its markup; answered, cut to 40 characters */
export const activeContent = (found: string): AppError =>
  new AppError('upload.active_content', { params: { found: found.slice(0, 40) } });
