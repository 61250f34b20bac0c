import { Cron } from 'croner';
import type { Schedule } from '#shared/module/job.ts';
import { readRateMs } from './rate.ts';

// Local time that summer time skips has no run, and time that comes twice has one: as the scheduler of AWS does it.

/** Latest due time up to a moment; undefined before the first. Rates count from 1970, so that all processes agree. */
export function findLatestDue(schedule: Schedule, at: Date): Date | undefined {
  const rateMs = readRateMs(schedule.schedule);
  if (rateMs !== undefined) return new Date(Math.floor(at.getTime() / rateMs) * rateMs);
  const cron = readCron(schedule);
  let [due] = cron.previousRuns(1, new Date(at.getTime() + 1));
  while (due && !cron.match(due)) [due] = cron.previousRuns(1, due);
  return due;
}

/** First due time after a moment; undefined after the last year of a `cron(…)`. */
export function findNextDue(schedule: Schedule, after: Date): Date | undefined {
  const rateMs = readRateMs(schedule.schedule);
  if (rateMs !== undefined) return new Date((Math.floor(after.getTime() / rateMs) + 1) * rateMs);
  const cron = readCron(schedule);
  let due = cron.nextRun(after);
  while (due && !cron.match(due)) due = cron.nextRun(due);
  return due ?? undefined;
}

/** What is wrong with a schedule, in words; undefined if nothing is. */
export function findScheduleFault(given: Schedule): string | undefined {
  const { schedule, timeZone } = given;
  if (readRateMs(schedule) !== undefined)
    return timeZone === undefined ? undefined : 'a rate has no time zone: leave timeZone out';
  if (!cronPattern.test(schedule))
    return `its schedule "${schedule}" is not valid: write rate(15 minutes) or cron(30 2 * * ? *)`;
  if (timeZone !== undefined && !isZone(timeZone))
    return `its timeZone "${timeZone}" is not known: write Europe/Berlin`;
  const [, , day, , weekday] = readFields(schedule);
  if ((day === '?') === (weekday === '?'))
    return `its schedule "${schedule}" is not valid: either the day of the month or the day of the week is "?"`;
  try {
    if (findNextDue(given, new Date())) return undefined;
    return `its schedule "${schedule}" never comes again`;
  } catch (error) {
    return `its schedule "${schedule}" is not valid: ${Object(error).message}`;
  }
}

const cronPattern = /^cron\((?:[\dA-Z*?,/#-]{1,60} ){5}[\d*,/-]{1,60}\)$/;
const readFields = (schedule: string): string[] => schedule.slice('cron('.length, -1).split(' ');

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** AWS counts days of the week from 1, Sunday; croner from 0. */
function readCron({ schedule, timeZone = 'UTC' }: Schedule): Cron {
  const [minute = '', hour = '', day = '', month = '', weekday = '', year = ''] = readFields(schedule);
  const fromZero = weekday.replace(/(^|[,-])([1-7])/g, (_all, sign, digit) => `${sign}${Number(digit) - 1}`);
  const pattern = ['0', minute, hour, openOf(day), month, openOf(fromZero), year].join(' ');
  // `0/20` is every 20 from 0 on AWS.
  return new Cron(pattern, { timezone: timeZone, paused: true, sloppyRanges: true });
}

const openOf = (field: string): string => (field === '?' ? '*' : field);
