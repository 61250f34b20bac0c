const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** A size with a unit, each 1,024 of the one before: `1.5 KB`. @param sizeBytes not negative */
export function formatBytes(sizeBytes: number): string {
  let size = sizeBytes;
  let unit = 0;
  while (size >= 1023.95 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 ? size : Number(size.toFixed(1))} ${units[unit]}`;
}

/**
 * A time that sorts as text: `2026-11-23 09:05`. Anything but a time is returned as it is.
 *
 * @param timeZone IANA name. @default the operator's zone
 */
export function formatTime(time: string, withSeconds = false, timeZone?: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  // Sweden writes times as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: withSeconds ? 'medium' : 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(date);
}

/** A time with its seconds and zone, then the same in UTC; shown on hover. */
export function formatExactTime(time: string, languageTag: string, timeZone?: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const local = new Intl.DateTimeFormat(languageTag, {
    dateStyle: 'full',
    timeStyle: 'long',
    ...(timeZone !== undefined && { timeZone }),
  }).format(date);
  return `${local} (${date.toISOString()})`;
}

const spans = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A time as it is from now: `3 days ago`, `in 2 hours`; `now` within a minute. Anything but a time is returned as it is. */
export function formatAgo(time: string, languageTag: string, nowMs: number): string {
  const seconds = (Date.parse(time) - nowMs) / 1000;
  if (Number.isNaN(seconds)) return time;
  const format = new Intl.RelativeTimeFormat(languageTag, { numeric: 'auto' });
  const span = spans.find(([, size]) => Math.abs(seconds) >= size);
  return span ? format.format(Math.trunc(seconds / span[1]), span[0]) : format.format(0, 'second');
}

/** The end of an ID, which differs even between records of one day: `…6F3K9QWZ`. Short IDs stay. */
export const shortenId = (id: string): string => (id.length > 12 ? `…${id.slice(-8)}` : id);
