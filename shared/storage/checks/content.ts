import type { UploadExtension } from '#shared/config/upload.ts';

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

interface FaultOptions {
  /** Values for the placeholders of a message. */
  params?: Record<string, string | number>;
  cause?: unknown;
}

/** A file that does not pass its check. Who receives files turns it into an error of its own. */
export class ContentFault extends Error {
  override readonly name = 'ContentFault';
  readonly fault: 'active_content' | 'content_mismatch' | 'empty' | 'too_large';
  readonly params: Record<string, string | number>;

  constructor(fault: ContentFault['fault'], { params = {}, cause }: FaultOptions = {}) {
    super(fault, { cause });
    this.fault = fault;
    this.params = params;
  }
}

export const contentMismatch = (cause?: unknown): ContentFault =>
  new ContentFault('content_mismatch', { cause });

/** The fault of a file that runs or fetches something. @param found its markup; cut to 40 characters */
export const activeContent = (found: string): ContentFault =>
  new ContentFault('active_content', { params: { found: found.slice(0, 40) } });
