import { EnvironmentError, environment } from './environment.ts';

/**
 * Origins whose pages may call the API, from `CORS_ORIGINS`: separated by commas, none by default.
 *
 * @throws EnvironmentError for what is no origin, such as a URL with a path
 */
export function corsOrigins(list = ''): string[] {
  const origins = list
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  const bad = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (bad !== undefined)
    throw new EnvironmentError(`CORS_ORIGINS: "${bad}" is no origin, as in https://example.com`);
  return origins;
}

/** Whether a page of this origin may call: one of this site, or of `CORS_ORIGINS`. */
export function isKnownOrigin(origin: string): boolean {
  const { publicUrl, corsOrigins: others } = environment();
  return origin === new URL(publicUrl).origin || others.includes(origin);
}
