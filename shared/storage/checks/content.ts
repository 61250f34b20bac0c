import type { UploadExtension } from '#shared/config/upload.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** A stored or received file, for the content checks. */
export interface ContentSource {
  /** The extension that it was accepted as. */
  ext: UploadExtension;
  /** Its first 4 KiB, or all of it if it is smaller. */
  head: Uint8Array;
  /** Its real size, never the declared one. */
  sizeBytes: number;
  /** All bytes; called for an SVG only. */
  readAll(): Promise<Uint8Array>;
  /** The bytes from `start` up to, not including, `end`; called for Office files only. */
  readRange(start: number, end: number): Promise<Uint8Array>;
}

/** How many bytes of the beginning the checks read. */
export const headBytes = 4096;

const shownCharacters = 40;

/** The error for bytes that do not match the extension. */
export function contentMismatch(cause?: unknown): AppError {
  return new AppError('upload.content_mismatch', { cause });
}

/**
 * The error for a file that could run or fetch something.
 *
 * @param found the markup or part that does, as `onload` or `<script>`; answered as `{found}`, shortened
 */
export function activeContent(found: string): AppError {
  return new AppError('upload.active_content', { params: { found: found.slice(0, shownCharacters) } });
}
