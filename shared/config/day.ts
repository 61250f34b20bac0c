import { EnvironmentError, environment } from './environment.ts';

let format: Intl.DateTimeFormat | undefined;

/**
 * The day of a moment in the configured time zone, as `2026-01-31`.
 *
 * Made on first use: loading the time zones would cost every cold start about 13 ms.
 *
 * @throws EnvironmentError when `TZ_NAME` is no time zone
 */
export function toDay(moment = new Date()): string {
  format ??= createFormat(environment().timeZone);
  return format.format(moment);
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    // Swedish writes dates as ISO 8601 does.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  } catch (cause) {
    throw new EnvironmentError(`TZ_NAME: "${timeZone}" is no time zone, as in Asia/Shanghai`, { cause });
  }
}
