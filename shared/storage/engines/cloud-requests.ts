import { environment } from '#shared/config/environment.ts';
import { parseTarget } from '#shared/net/endpoint.ts';
import { type ByteSpan, unavailable } from '../engine.ts';

/** The origin of a host with or without a scheme, a port or a trailing slash. @param isHttps if it has no scheme */
export function toOrigin(host: string, isHttps = true): string {
  const bare = host.replace(/(?<!\/)\/+$/, '');
  return /^https?:\/\//i.test(bare) ? bare : `${isHttps ? 'https' : 'http'}://${bare}`;
}

/** A cloud's API, from a host or URL. @throws AppError `storage.unavailable` if it is no URL or may not be reached */
export function openEndpoint(host: string): URL {
  try {
    return parseTarget(toOrigin(host), environment().allowPrivateEndpoints);
  } catch (error) {
    throw unavailable(error);
  }
}

/** The path of an object in URLs. */
export const toPath = (key: string): string => `/${key.split('/').map(encodeURIComponent).join('/')}`;

/** The public address of an object. @param domain host or URL */
export const toPublicUrl = (domain: string, key: string): string => `${toOrigin(domain)}${toPath(key)}`;

/** Seconds from now until a moment in Unix seconds; at least 1. */
export const secondsUntil = (expiresAt: number): number =>
  Math.max(1, expiresAt - Math.floor(Date.now() / 1000));

export const toRangeHeader = ({ start, end }: ByteSpan): string => `bytes=${start}-${end - 1}`;

const contentRange = /^bytes (\d+)-(\d+)\/(\d+)$/;

/** Whether a 206 answer with this `content-range` and size holds the requested span, as far as the object has it. */
export function bringsRange(header = '', sizeBytes: number, { start, end }: ByteSpan): boolean {
  const [first, last, total = 0] = (contentRange.exec(header) ?? []).slice(1).map(Number);
  return first === start && last === Math.min(end, total) - 1 && sizeBytes === last - first + 1;
}
