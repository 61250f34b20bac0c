import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runJobs } from '#cli/local/run-jobs.ts';

const minuteMs = 60_000;
const run = jest.fn(async (_name: string) => {});
let jobs: ReturnType<typeof runJobs>;
beforeEach(() => {
  jest.useFakeTimers();
  run.mockReset();
  jobs = runJobs(run);
});
afterEach(() => {
  jobs.end();
  jest.useRealTimers();
});

const pass = (minutes: number) => jest.advanceTimersByTimeAsync(minutes * minuteMs);
const quarter = { name: 'quarter', rate: 'rate(15 minutes)' };

test.each([
  ['rate(1 minute)', 1],
  ['rate(90 minutes)', 90],
  ['rate(2 hours)', 120],
  ['rate(30 days)', 30 * 1440],
])('a job with %s runs each %i minutes', async (rate, minutes) => {
  jobs.use([{ name: 'job', rate }]);

  await pass(minutes - 1);
  expect(run).toHaveBeenCalledTimes(0);
  await pass(1);
  expect(run.mock.calls).toEqual([['job']]);
  await pass(minutes);
  expect(run).toHaveBeenCalledTimes(2);
});

test('jobs that are replaced many times run once, and keep their time', async () => {
  for (let minute = 0; minute < 15; minute += 1) {
    jobs.use([quarter]);
    await pass(1);
  }

  expect(run.mock.calls).toEqual([['quarter']]);
});

test('a job that is gone does not run, and one with another rate begins again', async () => {
  jobs.use([quarter, { name: 'gone', rate: 'rate(15 minutes)' }]);
  await pass(10);
  jobs.use([{ ...quarter, rate: 'rate(10 minutes)' }]);

  await pass(9);
  expect(run).not.toHaveBeenCalled();
  await pass(1);
  expect(run.mock.calls).toEqual([['quarter']]);
});

test('a job that still runs is not started again', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  run.mockReturnValueOnce(promise);
  jobs.use([{ name: 'slow', rate: 'rate(1 minute)' }]);
  await pass(3);
  expect(run).toHaveBeenCalledTimes(1);

  resolve();
  await pass(1);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a failure is printed in one line, and the job runs again', async () => {
  const print = jest.spyOn(console, 'error').mockImplementation(() => {});
  run.mockRejectedValueOnce(new Error('job failed: no table'));
  jobs.use([{ name: 'job', rate: 'rate(1 minute)' }]);

  await pass(2);

  expect(print.mock.calls).toEqual([['job failed: no table']]);
  expect(run).toHaveBeenCalledTimes(2);
  print.mockRestore();
});
