import type { IncomingMessage } from 'node:http';
import { isEqual } from '#shared/crypto/equal.ts';

/**
 * Tells whether a request carries the token, as `Authorization: Bearer …` or as the parameter `_token`.
 * A header that is there decides alone.
 */
export function isAuthorized(request: IncomingMessage, query: URLSearchParams, token: string): boolean {
  const header = request.headers.authorization;
  const given = header === undefined ? query.get('_token') : /^Bearer (.+)$/i.exec(header)?.[1];
  return typeof given === 'string' && isEqual(given, token);
}
