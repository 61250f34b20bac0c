import { hash } from 'node:crypto';

/** A weak ETag (RFC 9110, section 8.8.3) of a text. */
export const weakTag = (text: string): string => `W/"${hash('sha256', text, 'base64url')}"`;

/**
 * Whether an `If-None-Match` names an ETag; weak comparison (RFC 9110, section 13.1.2).
 *
 * @param header undefined where there is none
 */
export function hasTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}
