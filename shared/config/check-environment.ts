import { EnvironmentError, readEnvironment, refuse, splitList } from './environment.ts';
import { assertTimeZone } from './local-time.ts';

/** Values for variables that may be missing here: the local server sets its own, a deployment has parameters. */
const standIns = {
  APP_KEY: 'x'.repeat(32),
  PUBLIC_URL: 'http://localhost',
  TABLE_NAME: 'table',
  UPSTASH_REDIS_REST_URL: 'http://localhost',
};

/**
 * Checks every variable that is set, for starts, commands and packaging; functions check some on first use only.
 *
 * @throws EnvironmentError naming the first invalid variable, with its value unless it is a secret
 */
export function checkEnvironment(source: NodeJS.ProcessEnv): void {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value));
  const token = set.UPSTASH_REDIS_REST_URL ? {} : { UPSTASH_REDIS_REST_TOKEN: 'token' };
  const { timeZone } = readEnvironment({ ...standIns, ...token, ...set });
  assertTimeZone(timeZone);
  corsOrigins(set.CORS_ORIGINS);
  readPort(set.PORT);
  readConsoleSwitch(set.CONSOLE);
  if (set.EDGE_SECRET && splitList(set.EDGE_SECRET).some((secret) => secret.length < 32))
    throw new EnvironmentError('EDGE_SECRET: each secret needs at least 32 characters');
  // The error does not show the URL: it may hold a password.
  if (set.REDIS_URL && !/^rediss?:$/.test(URL.parse(set.REDIS_URL)?.protocol ?? '')) {
    throw new EnvironmentError('REDIS_URL is not a redis:// or rediss:// URL');
  }
}

/**
 * The origins of `CORS_ORIGINS`, separated by commas, whose pages may call the API.
 *
 * @throws EnvironmentError for an entry that is not an origin, such as a URL with a path
 */
export function corsOrigins(list?: string): string[] {
  const origins = splitList(list);
  const bad = origins.find((origin) => URL.parse(origin)?.origin !== origin);
  if (bad === undefined) return origins;
  throw new EnvironmentError(`CORS_ORIGINS: "${bad}" is not an origin such as https://example.com`);
}

/** The port of the local server. @param name the variable or option @throws EnvironmentError if invalid */
export function readPort(value = '3000', name = 'PORT'): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw refuse(name, value, 'a whole number from 0 to 65535; 0 takes any free port');
}

/** Whether starts and packaging build the console, from `CONSOLE`. @throws EnvironmentError if invalid */
export function readConsoleSwitch(value = 'on'): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw refuse('CONSOLE', value, 'on or off');
}
