import { EnvironmentError, environment } from './environment.ts';

const dayMs = 86_400_000;

let isSet = false;

/**
 * Sets the time zone of the process to `TZ_NAME`, so that `Date` has the local time. `Intl.DateTimeFormat` could do
 * the same, but to load it takes 10 ms of a cold start.
 */
function useTimeZone(): void {
  if (isSet) return;
  const { timeZone } = environment();
  process.env.TZ = timeZone;
  // Node uses UTC for an unknown zone. Few zones have no offset at all, so only those pay for the check.
  const offsets = ['2026-01-01', '2026-07-01'].map((day) => new Date(day).getTimezoneOffset());
  if (offsets.every((offset) => offset === 0)) assertTimeZone(timeZone);
  isSet = true;
}

/** @throws EnvironmentError if a name is not an IANA time zone */
export function assertTimeZone(name: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch (cause) {
    const message = `TZ_NAME: "${name}" is not a time zone, use one such as Asia/Shanghai`;
    throw new EnvironmentError(message, { cause });
  }
}

/** In ISO 8601; its `Z` is wrong. */
function toLocalText(moment: Date): string {
  useTimeZone();
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString();
}

/** The day of a moment in the configured time zone: `2026-01-31`. @throws EnvironmentError if that zone is unknown */
export const toDay = (moment = new Date()): string => toLocalText(moment).slice(0, 10);

/** The time of day of a moment, such as `23:59:59`; otherwise as {@link toDay}. */
export const toTimeOfDay = (moment = new Date()): string => toLocalText(moment).slice(11, 19);

/** The last days by the calendar, today last. A day of 23 or 25 hours counts as one. */
export function listDays(count: number): string[] {
  const today = Date.parse(`${toDay()}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(today - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}
