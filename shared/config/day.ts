import { EnvironmentError, environment } from './environment.ts';

const dayMs = 86_400_000;

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

/** The last days by the calendar, today last, so that a day of 23 or 25 hours is still one. */
export function listDays(count: number): string[] {
  const today = Date.parse(`${toDay()}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(today - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    // Swedish writes dates as ISO 8601 does.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  } catch (cause) {
    throw new EnvironmentError(`TZ_NAME: "${timeZone}" is no time zone, as in Asia/Shanghai`, { cause });
  }
}
