import '../../../support/environment.ts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Recording } from '#shared/audit/recording.ts';
import { AppError } from '#shared/errors/app-error.ts';

// A database that never answers.
jest.mock('#shared/audit/write-entries.ts', () => ({ writeFailure: () => new Promise(() => {}) }));
jest.mock('#shared/audit/retention.ts', () => ({ readRetentionDays: () => Promise.resolve(200) }));

let logged: Record<string, unknown>[];

beforeEach(() => {
  jest.useFakeTimers();
  logged = [];
  jest.spyOn(console, 'error').mockImplementation((line) => void logged.push(JSON.parse(String(line))));
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test.each([
  ['3 seconds', 20_000, 3_000],
  ['the time that the function has left', 1_500, 1_000],
  ['no time, if the function has none left', 400, 0],
])('the record of a failure takes at most %s', async (_title, remaining, limit) => {
  const recording = new Recording({
    actor: { kind: 'admin', id: 'A', account: 'root' },
    ...{ channel: 'api', action: 'article/add', requestId: 'r1', address: null, root: 'body' },
    remainingMs: () => remaining,
  });
  let isOver = false;

  const failing = recording.fail(new AppError('database.unavailable')).then(() => {
    isOver = true;
  });
  await jest.advanceTimersByTimeAsync(Math.max(0, limit - 1));
  const isOverEarly = isOver;
  await jest.advanceTimersByTimeAsync(1);
  await failing;

  expect(isOverEarly).toBe(limit === 0);
  expect(logged).toMatchObject([
    { event: 'audit.not_written', code: 'database.unavailable', request_id: 'r1' },
  ]);
});
