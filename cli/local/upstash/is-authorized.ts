import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Tells whether a request carries the token, as `Authorization: Bearer …` or as the parameter `_token`.
 * A header that is there decides alone.
 */
export function isAuthorized(request: IncomingMessage, query: URLSearchParams, token: string): boolean {
  const header = request.headers.authorization;
  const given = header === undefined ? query.get('_token') : /^Bearer (.+)$/i.exec(header)?.[1];
  // Digests have one length, so the comparison takes the same time whatever was sent.
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
