import { hash } from 'node:crypto';
import * as z from 'zod/mini';

/** An answer without an envelope, such as a file. */
export class RawAnswer {
  readonly status: number;
  /** Names in lower case; they replace the headers that every answer has. */
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | undefined;

  /** @throws RangeError for a status that HTTP does not have: the gateway would answer 200 */
  constructor(status: number, headers: Record<string, string>, body?: Uint8Array) {
    if (!Number.isInteger(status) || status < 200 || status > 599) throw new RangeError(`status ${status}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** `data` of a route that answers without an envelope. */
export const rawAnswer = z.custom<RawAnswer>((value) => value instanceof RawAnswer);

/** A weak ETag (RFC 9110, section 8.8.3) of a text. */
export const weakTag = (text: string): string => `W/"${hash('sha256', text, 'base64url')}"`;

/** Whether an `If-None-Match` header contains an ETag; weak comparison (RFC 9110, section 13.1.2). */
export function hasTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}
