import '../../../../support/environment.ts';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { verifyDue } from '#modules/System/audit/verify/verify-due.ts';
import job from '#modules/System/Jobs/verify-audit-log.ts';
import { isDigest, isEntry, MemoryLog, newEntry } from './memory-log.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 8, 1);
const days = 75;
const now = start + days * day;

let log: MemoryLog;
/** What the job keeps outside of the table. */
let progress: string | undefined;
const store = {
  read: async () => progress,
  write: async (text: string) => {
    progress = text;
  },
};

beforeEach(() => {
  log = new MemoryLog();
  log.begin(start);
  progress = undefined;
  for (let each = 0; each < days; each += 1) {
    const from = start + each * day;
    log.close(from, from + day, [log.add(newEntry(from))]);
  }
});

/** Runs the job once. @param steps digests until the time is over */
async function run(steps = Number.POSITIVE_INFINITY) {
  const printed = jest.spyOn(console, 'error').mockReturnValue();
  let left = steps;
  const result = await verifyDue(log, store, { nowMs: now, isOver: () => left-- <= 0 });
  const lines = printed.mock.calls.map(([line]) => JSON.parse(String(line)));
  printed.mockRestore();
  return { ...result, lines };
}

describe('the job that verifies the audit log', () => {
  test('runs every day, in the role of the audit log', () => {
    expect(job).toMatchObject({ schedule: 'rate(1 day)', auditsLog: true });
  });

  test('checks every month', async () => {
    expect(await run()).toEqual({
      ...{ months: 3, entries: days, digests: days, findings: 0, isComplete: true, lines: [] },
    });
  });

  test('goes on where the last run had to end, and begins again after the last month', async () => {
    const runs = [];
    do runs.push(await run(10));
    while (!runs.at(-1)?.isComplete);

    expect(runs.length).toBeGreaterThan(5);
    expect(runs.reduce((sum, { digests }) => sum + digests, 0)).toBe(days);
    expect(runs.flatMap(({ lines }) => lines)).toEqual([]);
    expect((await run()).digests).toBe(days);
  });

  test('reports a removed entry once in each pass over several runs', async () => {
    const removed = log.items.filter(isEntry)[20];
    log.items = log.items.filter((item) => item !== removed);
    const lines = [];
    let isComplete = false;
    while (!isComplete) {
      const result = await run(7);
      lines.push(...result.lines);
      isComplete = result.isComplete;
    }

    expect(lines).toMatchObject([
      {
        ...{ level: 'error', event: 'audit.verify_failed', month: '2026-09' },
        ...{ kind: 'entry_removed', location: removed?.sk },
      },
    ]);
  });

  test('reports a removed tail in every run', async () => {
    const last = log.items.filter(isDigest).at(-1);
    log.items = log.items.filter((item) => item !== last);
    progress = JSON.stringify({ month: '2026-11' });

    expect((await run(0)).lines).toMatchObject([{ kind: 'digest_removed', location: last?.sk }]);
  });

  test('checks all of the log if its progress cannot be read', async () => {
    progress = 'x';

    expect(await run()).toMatchObject({ digests: days, isComplete: true });
  });
});
