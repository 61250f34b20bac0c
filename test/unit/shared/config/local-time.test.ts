import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

const program = `
  const { toDay, toTimeOfDay } = await import('#shared/config/local-time.ts');
  const moments = JSON.parse(process.argv[1]).map((time) => new Date(time));
  console.log(JSON.stringify(moments.map((moment) => toDay(moment) + ' ' + toTimeOfDay(moment))));
`;

/** Runs in another process: tests have only a copy of the environment. */
function runIn(timeZone: string, moments: readonly number[]) {
  return spawnSync(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(moments)], {
    cwd: resolve(__dirname, '../../../..'),
    encoding: 'utf8',
    env: {
      TZ_NAME: timeZone,
      APP_KEY: 'x'.repeat(32),
      TABLE_NAME: 'table',
      PUBLIC_URL: 'http://localhost',
      UPSTASH_REDIS_REST_URL: 'http://localhost',
      UPSTASH_REDIS_REST_TOKEN: 'token',
    },
  });
}

// Day changes at an offset of half an hour, at both ends of summer time, and in the zones without an offset.
const zones = ['Asia/Shanghai', 'America/St_Johns', 'Australia/Lord_Howe', 'Europe/London', 'UTC', 'Etc/UTC'];

describe('local time', () => {
  test.each(zones)('is that of %s, like the calendar of the platform', (timeZone) => {
    const moment = fc.date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    const moments = fc.sample(moment, { numRuns: 2000, seed: 7 }).map((date) => date.getTime());
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });

    const { stdout, stderr } = runIn(timeZone, moments);

    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(moments.map((time) => format.format(time)));
  });

  test('fails for a name that is not a time zone', () => {
    const { status, stderr } = runIn('Mars/Olympus', [0]);

    expect(status).toBe(1);
    expect(stderr).toContain('TZ_NAME: "Mars/Olympus" is not a time zone');
  });
});
