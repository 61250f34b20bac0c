import type { UploadExtension } from '#shared/config/upload.ts';

/** A stored or received file, as the content checks read it. */
export interface ContentSource {
  /** The extension it was taken for. */
  ext: UploadExtension;
  /** Its first 4 KiB, or all of it where it is smaller. */
  head: Uint8Array;
  /** Its real size, never the declared one. */
  sizeBytes: number;
  /** All bytes; called for an SVG only. */
  readAll(): Promise<Uint8Array>;
  /** The bytes from `start` up to, not including, `end`; called for Office files only. */
  readRange(start: number, end: number): Promise<Uint8Array>;
}

/** How many bytes at the beginning tell what a file is. */
export const headBytes = 4096;
