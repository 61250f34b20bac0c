import type { Schedule } from '#shared/module/job.ts';

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** AWS requires the singular after 1 and the plural after other numbers. */
const ratePattern = /^rate\((?:1 (minute|hour|day)|([2-9]|[1-9]\d{1,4}) (minute|hour|day)s)\)$/;

/** The interval of `rate(…)` in milliseconds; undefined for another expression. */
export function readRateMs(schedule: string): number | undefined {
  const [found, one, count = '1', many] = ratePattern.exec(schedule) ?? [];
  return found === undefined ? undefined : Number(count) * (unitMs[one ?? many ?? ''] ?? Number.NaN);
}

/** A schedule as one text: `cron(0 3 * * ? *) Asia/Shanghai`. */
export const describeTimes = ({ schedule, timeZone }: Schedule): string =>
  readRateMs(schedule) === undefined ? `${schedule} ${timeZone ?? 'UTC'}` : schedule;
