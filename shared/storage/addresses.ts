import { environment } from '#shared/config/environment.ts';
import { parseTarget } from '#shared/net/parse-target.ts';
import { unavailable } from './failures.ts';

/**
 * The origin of a host as settings and answers give it: with or without a scheme, a port or a slash at its
 * end. Plain http is spoken only where it says so.
 *
 * @param isHttps whether a host without a scheme speaks https. @default true
 */
export function toOrigin(host: string, isHttps = true): string {
  const bare = host.replace(/\/+$/, '');
  return /^https?:\/\//i.test(bare) ? bare : `${isHttps ? 'https' : 'http'}://${bare}`;
}

/**
 * The endpoint of a cloud's API.
 *
 * @param host host or URL
 * @throws AppError `storage.unavailable` when it is no URL, or an address that may not be reached
 */
export function openEndpoint(host: string): URL {
  try {
    return parseTarget(toOrigin(host), environment().allowPrivateEndpoints);
  } catch (error) {
    throw unavailable(error);
  }
}

/** The path of an object in URLs. */
export const toPath = (key: string): string => `/${key.split('/').map(encodeURIComponent).join('/')}`;

/**
 * The address that anybody fetches an object from.
 *
 * @param domain host or URL
 */
export const toPublicUrl = (domain: string, key: string): string => `${toOrigin(domain)}${toPath(key)}`;
