import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runJobs } from '#cli/local/run-jobs.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 10, 26, 12);
const invoke = jest.fn<(name: string, event: object) => Promise<unknown>>();
let jobs: ReturnType<typeof runJobs>;
beforeEach(() => {
  jest.useFakeTimers({ now: start });
  invoke.mockReset().mockResolvedValue({});
  jobs = runJobs(invoke);
});
afterEach(() => {
  jobs.end();
  jest.useRealTimers();
});

const pass = (minutes: number) => jest.advanceTimersByTimeAsync(minutes * minuteMs);
const quarter = { name: 'quarter', schedule: 'rate(15 minutes)' };
/** The calls for due times since the start, in minutes after it. */
const calls = () =>
  invoke.mock.calls.flatMap(([name, event]) => {
    const { due, isCatchingUp } = event as { due: string; isCatchingUp?: boolean };
    return isCatchingUp ? [] : [[name, (Date.parse(due) - start) / minuteMs]];
  });

test.each([
  ['rate(1 minute)', undefined, [1, 2, 3, 4]],
  ['rate(2 minutes)', undefined, [2, 4]],
  ['cron(3 12 * * ? *)', undefined, [3]],
  ['cron(3 20 * * ? *)', 'Asia/Shanghai', [3]],
  ['cron(3 20 * * ? *)', undefined, []],
])('a job with %s in %s is called for its due times', async (schedule, timeZone, minutes) => {
  jobs.use([{ name: 'job', schedule, ...(timeZone && { timeZone }) }]);

  await pass(4);

  expect(calls()).toEqual(minutes.map((minute) => ['job', minute]));
});

test('is called a minute after the start for the due time before it, which may be missed', async () => {
  jobs.use([{ name: 'daily', schedule: 'cron(0 3 * * ? *)' }]);
  await pass(5);

  expect(invoke.mock.calls).toEqual([['daily', { due: '2026-11-26T03:00:00.000Z', isCatchingUp: true }]]);
});

test('jobs that are replaced many times are called once, and keep their time', async () => {
  for (let minute = 0; minute < 15; minute += 1) {
    jobs.use([quarter]);
    await pass(1);
  }

  expect(calls()).toEqual([['quarter', 15]]);
});

test('a job that is gone is not called', async () => {
  jobs.use([quarter, { name: 'gone', schedule: 'rate(2 minutes)' }]);
  await pass(1);
  jobs.use([quarter]);
  await pass(14);

  expect(calls()).toEqual([['quarter', 15]]);
});

test('a job that still runs is not called again, but afterwards for the latest due time', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  jobs.use([{ name: 'slow', schedule: 'rate(1 minute)' }]);
  invoke.mockReturnValueOnce(promise);
  await pass(3);
  expect(calls()).toEqual([['slow', 1]]);

  resolve({});
  await pass(1);
  expect(calls()).toEqual([
    ['slow', 1],
    ['slow', 4],
  ]);
});

test('a job that was cut is called again for the same due time', async () => {
  jobs.use([quarter]);
  await pass(14);
  invoke.mockResolvedValueOnce({ again: true });
  await pass(3);

  expect(calls()).toEqual([
    ['quarter', 15],
    ['quarter', 15],
  ]);
});

test('a failure is printed in one line, and the next due time is called', async () => {
  const print = jest.spyOn(console, 'error').mockImplementation(() => {});
  invoke.mockRejectedValueOnce(new Error('job failed: no table'));
  jobs.use([{ name: 'job', schedule: 'rate(1 minute)' }]);

  await pass(2);

  expect(print.mock.calls).toEqual([['job failed: no table']]);
  expect(calls()).toHaveLength(2);
  print.mockRestore();
});
