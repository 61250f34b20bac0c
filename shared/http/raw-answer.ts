import { hash } from 'node:crypto';
import * as z from 'zod/mini';

/** An answer without an envelope, as a file is answered. */
export class RawAnswer {
  readonly status: number;
  /** Names in lower case; they stand above those of every answer. */
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | undefined;

  constructor(status: number, headers: Record<string, string>, body?: Uint8Array) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** `data` of a route that answers without an envelope. */
export const rawAnswer = z.custom<RawAnswer>((value) => value instanceof RawAnswer);

/** A weak ETag (RFC 9110, section 8.8.3) of a text. */
export const weakTag = (text: string): string => `W/"${hash('sha256', text, 'base64url')}"`;

/**
 * Whether an `If-None-Match` names an ETag; weak comparison (RFC 9110, section 13.1.2).
 *
 * @param header undefined if the request has none
 */
export function hasTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}
