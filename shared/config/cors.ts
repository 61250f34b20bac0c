import { EnvironmentError, environment, splitList } from './environment.ts';

/**
 * The origins of `CORS_ORIGINS`, whose pages may call the API.
 *
 * @param list separated by commas
 * @throws EnvironmentError for an entry that is not an origin, such as a URL with a path
 */
export function corsOrigins(list?: string): string[] {
  const origins = splitList(list);
  const bad = origins.find((origin) => URL.parse(origin)?.origin !== origin);
  if (bad === undefined) return origins;
  throw new EnvironmentError(`CORS_ORIGINS: "${bad}" is not an origin such as https://example.com`);
}

/** Whether pages of an origin may call: this site's own, or one of `CORS_ORIGINS`. */
export function isKnownOrigin(origin: string): boolean {
  const { publicUrl, corsOrigins: others } = environment();
  return origin === new URL(publicUrl).origin || others.includes(origin);
}
