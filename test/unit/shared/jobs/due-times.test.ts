import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findLatestDue, findNextDue } from '#shared/jobs/due-times.ts';
import type { Schedule } from '#shared/module/job.ts';

const nightly: Schedule = { schedule: 'cron(30 2 * * ? *)', timeZone: 'Europe/Berlin' };

/** The due times in a span of time, found one after the other. */
function listDue(schedule: Schedule, from: string, to: string): string[] {
  const found: string[] = [];
  for (let due = findNextDue(schedule, new Date(from)); due; due = findNextDue(schedule, due)) {
    if (due.getTime() > Date.parse(to)) break;
    found.push(due.toISOString());
  }
  return found;
}

describe('due times of a cron in a time zone', () => {
  test('skip a local time that summer time skips', () => {
    expect(listDue(nightly, '2026-03-28T00:00:00Z', '2026-03-30T12:00:00Z')).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  test('count a local time that comes twice once', () => {
    expect(listDue(nightly, '2026-10-24T00:00:00Z', '2026-10-26T12:00:00Z')).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  test('count days of the week from Sunday, as AWS does', () => {
    const mondays = { schedule: 'cron(0 12 ? * 2 *)' };
    const named = { schedule: 'cron(0 12 ? * MON *)' };
    const [from, to] = ['2026-11-01T00:00:00Z', '2026-11-20T00:00:00Z'];

    expect(listDue(mondays, from, to)).toEqual(
      ['2026-11-02', '2026-11-09', '2026-11-16'].map((day) => `${day}T12:00:00.000Z`),
    );
    expect(listDue(named, from, to)).toEqual(listDue(mondays, from, to));
  });

  test.each([
    // AWS shows such expressions in its documentation.
    ['cron(0/20 9 * * ? *)', ['09:00', '09:20', '09:40']],
    ['cron(5/25 9 * * ? *)', ['09:05', '09:30', '09:55']],
    ['cron(0 9,10 ? * FRI *)', ['09:00', '10:00']],
    ['cron(0 9 ? * 6L *)', ['09:00']],
    ['cron(0 9 ? * 6#4 *)', ['09:00']],
    ['cron(0 9 27W * ? *)', ['09:00']],
    ['cron(0 9 27 NOV ? 2026-2030)', ['09:00']],
  ])('read %s as AWS does', (schedule, times) => {
    const due = listDue({ schedule }, '2026-11-27T00:00:00Z', '2026-11-27T23:59:00Z');

    expect(due.map((time) => time.slice(11, 16))).toEqual(times);
  });

  test('end with the last year', () => {
    expect(
      findNextDue({ schedule: 'cron(0 12 1 1 ? 2026)' }, new Date('2026-06-01T00:00:00Z')),
    ).toBeUndefined();
  });
});

const schedule = fc.oneof(
  fc
    .tuple(fc.integer({ min: 2, max: 90 }), fc.constantFrom('minutes', 'hours', 'days'))
    .map(([count, unit]): Schedule => ({ schedule: `rate(${count} ${unit})` })),
  fc
    .tuple(
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 0, max: 23 }),
      fc.constantFrom('Europe/Berlin', 'Asia/Shanghai', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
    )
    .map(([minute, hour, timeZone]): Schedule => ({ schedule: `cron(${minute} ${hour} * * ? *)`, timeZone })),
);
const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });

test('the latest due time before the next is not later than the moment, and they follow each other', () => {
  fc.assert(
    fc.property(schedule, moment, (given, at) => {
      const next = findNextDue(given, at);
      const latest = findLatestDue(given, at);

      expect(latest?.getTime()).toBeLessThanOrEqual(at.getTime());
      expect(next?.getTime()).toBeGreaterThan(at.getTime());
      expect(findNextDue(given, latest ?? at)).toEqual(next);
      expect(findLatestDue(given, new Date((next ?? at).getTime() - 1))).toEqual(latest);
    }),
    { numRuns: 200 },
  );
});
