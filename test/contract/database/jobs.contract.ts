import { randomUUID } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { countFailedJobs } from '#modules/System/jobs/waiting.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { queryPartition, transact } from '#shared/db/items.ts';
import { putNew } from '#shared/db/writes.ts';
import { runJob } from '#shared/jobs/run-job.ts';
import { listRuns, readRun, writeRun } from '#shared/jobs/stored-run.ts';
import { defineJob, type Job, type JobRun } from '#shared/module/module.ts';

const minuteMs = 60_000;
const base = Date.UTC(2026, 5, 1);
const at = (minute: number) => new Date(base + minute * minuteMs);
const newName = () => `test-job-${randomUUID()}`;
const jobOf = (run: Job['run']): Job => defineJob({ schedule: 'rate(1 minute)', run });
const idle = jobOf(async () => ({}));

/** Calls a job for a minute. @param remainingMs length of the lease */
const call = (
  job: Job,
  name: string,
  minute: number,
  more: { isCatchingUp?: boolean; remainingMs?: number } = {},
) => {
  const { remainingMs = minuteMs - 0.5, isCatchingUp = false } = more;
  return runJob(job, { name, due: at(minute), isCatchingUp, remainingMs: () => remainingMs });
};

/** Ends the lease, as if the process of the run had been killed long ago. */
async function expireLease(name: string): Promise<void> {
  const run = await readRun(name);
  if (run) await writeRun(run, { ...run, lease_until: 0 });
}

const listFailures = async (name: string) => {
  const entries = await queryPartition(auditPartition(new Date().toISOString().slice(0, 7)));
  return entries.filter(({ target }) => target === `job:${name}`).map(({ code }) => code);
};

/** A run that stays in the middle until it may end. */
function createPaused() {
  const begun = Promise.withResolvers<JobRun>();
  const end = Promise.withResolvers<object>();
  const job = jobOf((run) => {
    begun.resolve(run);
    return end.promise;
  });
  return { job, begun: begun.promise, end: end.resolve };
}

export function describeJobs(): void {
  describe('a job', () => {
    test('runs once for a due time, however many processes call it', async () => {
      const name = newName();
      const dues: string[] = [];
      const job = jobOf(async ({ due }) => {
        dues.push(due.toISOString());
        return { ran: true };
      });

      const answers = await Promise.all(Array.from({ length: 10 }, () => call(job, name, 1)));
      await call(job, name, 1);
      await call(job, name, 0);

      expect(dues).toEqual([at(1).toISOString()]);
      expect(answers.filter(({ state }) => state === 'done')).toEqual([
        { state: 'done', again: false, result: { ran: true } },
      ]);
      expect(await readRun(name)).toMatchObject({
        outcome: 'done',
        due_at: at(1).toISOString(),
        next_due_at: at(2).toISOString(),
        result: '{"ran":true}',
      });
    });

    test('begins with the next due time if it never ran', async () => {
      const name = newName();
      const run = jest.fn(async () => ({}));

      const first = await call(jobOf(run), name, 5, { isCatchingUp: true });
      expect(first).toEqual({ state: 'waiting', again: false });
      expect(run).not.toHaveBeenCalled();
      await call(jobOf(run), name, 6);
      await call(jobOf(run), name, 9, { isCatchingUp: true });
      expect(run).toHaveBeenCalledTimes(2);
    });

    test('never runs twice at once', async () => {
      const name = newName();
      const { job, begun, end } = createPaused();
      const first = call(job, name, 1);
      await begun;
      const other = jest.fn(async () => ({}));

      expect(await call(jobOf(other), name, 1)).toEqual({ state: 'running', again: true });
      expect(await call(jobOf(other), name, 2)).toEqual({ state: 'running', again: true });
      end({});
      await first;
      await call(jobOf(other), name, 2);

      expect(other).toHaveBeenCalledTimes(1);
    });

    test('that is killed goes on with the same due time, key and cursor, and a run that lost its lease ends', async () => {
      const name = newName();
      const { job, begun, end } = createPaused();
      const killed = call(job, name, 1);
      const lost = await begun;
      await lost.keep('half');
      await expireLease(name);
      const runs: Pick<JobRun, 'due' | 'key' | 'cursor'>[] = [];
      const next = jobOf(async ({ due, key, cursor }) => {
        runs.push({ due, key, cursor });
        return {};
      });

      await call(next, name, 2);

      expect(runs).toEqual([
        { due: at(1), key: lost.key, cursor: 'half' },
        { due: at(2), key: `${name}#${at(2).toISOString()}`, cursor: undefined },
      ]);
      await expect(lost.keep('late')).rejects.toMatchObject({ code: 'job.lost' });
      end({});
      await expect(killed).rejects.toMatchObject({ code: 'job.lost' });
      expect(await readRun(name)).toMatchObject({ outcome: 'done', due_at: at(2).toISOString() });
    });

    test('that is over goes on at its cursor, as often as it takes', async () => {
      const name = newName();
      const seen: (string | undefined)[] = [];
      const job = jobOf(async ({ cursor, keep, isOver }) => {
        seen.push(cursor);
        const next = Number(cursor ?? 0) + 1;
        if (next > 5) return { next };
        await keep(String(next));
        return { over: isOver() };
      });

      for (let tries = 0; tries < 5; tries += 1) {
        expect(await call(job, name, 1, { remainingMs: 5000 })).toMatchObject({ state: 'cut', again: true });
      }
      const last = await call(job, name, 1, { remainingMs: 5000 });
      expect(last).toMatchObject({ state: 'done', result: { next: 6 } });

      expect(seen).toEqual([undefined, '1', '2', '3', '4', '5']);
      expect(await readRun(name)).toMatchObject({ outcome: 'done', cursor: null });
    });

    test('that fails is tried three times for a due time, is recorded, and starts again at the next', async () => {
      const name = newName();
      const keys: string[] = [];
      const job = jobOf(async ({ key }) => {
        keys.push(key);
        throw new Error('on purpose');
      });

      for (let tries = 0; tries < 3; tries += 1) {
        await expect(call(job, name, 1)).rejects.toThrow('on purpose');
      }
      expect(await call(job, name, 1)).toEqual({ state: 'done before', again: false });

      expect(new Set(keys).size).toBe(1);
      expect(await readRun(name)).toMatchObject({ outcome: 'failed', code: 'internal', tries: 3 });
      expect(await listFailures(name)).toEqual(['internal', 'internal', 'internal']);
      expect(await call(idle, name, 2)).toMatchObject({ state: 'done' });
    });

    test('that is killed three times is given up for this due time', async () => {
      const name = newName();
      for (let tries = 0; tries < 3; tries += 1) {
        const { job, begun } = createPaused();
        void call(job, name, 1).catch(() => {});
        await begun;
        await expireLease(name);
      }
      const dues: Date[] = [];
      const job = jobOf(async ({ due }) => ({ number: dues.push(due) }));

      await call(job, name, 2);

      expect(dues).toEqual([at(2)]);
      expect(await listFailures(name)).toEqual(['job.stopped']);
    });

    test('that missed due times runs once for the latest, and the gap is recorded', async () => {
      const name = newName();
      const dues: Date[] = [];
      const job = jobOf(async ({ due }) => ({ number: dues.push(due) }));
      await call(job, name, 1);

      await call(job, name, 60);

      expect(dues).toEqual([at(1), at(60)]);
      expect(await listFailures(name)).toEqual(['job.missed']);
    });

    test('waits for an administrator if it failed, or was not called when it was due', async () => {
      const [failed, missed, done] = [newName(), newName(), newName()];
      const now = at(100).getTime();
      const schedule = 'rate(1 minute)';
      const jobs = [failed, missed, done].map((id) => ({ id, schedule, title: { zh_CN: id, en: id } }));
      const failing = jobOf(() => Promise.reject(new Error('on purpose')));
      await call(failing, failed, 99).catch(() => {});
      await call(idle, missed, 50);
      await call(idle, done, 99);

      expect(await countFailedJobs(jobs, now)).toBe(2);
      await call(idle, failed, 100);
      await call(idle, missed, 100);
      expect(await countFailedJobs(jobs, now)).toBe(0);
    });

    test('is not missed because a deployment has changed its schedule', async () => {
      const name = newName();
      const dues: Date[] = [];
      const run: Job['run'] = async ({ due }) => ({ number: dues.push(due) });
      await call(jobOf(run), name, 1);

      await call(defineJob({ schedule: 'rate(1 hour)', run }), name, 60);

      expect(dues).toEqual([at(1), at(60)]);
      expect(await listFailures(name)).toEqual([]);
    });

    test('stored by another version hides no other one', async () => {
      const [name, other] = [newName(), newName()];
      await call(idle, name, 1);
      await transact([putNew({ pk: 'JOB', sk: other, name: other, outcome: 'paused' })]);

      const names = (await listRuns()).map((run) => run.name);
      expect([names.includes(name), names.includes(other)]).toEqual([true, false]);
    });

    test('runs each due time at most once and never twice at once, in any order of calls and kills', async () => {
      const step = fc.record({
        minute: fc.integer({ min: 1, max: 6 }),
        processes: fc.integer({ min: 1, max: 3 }),
        isKilled: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
          const name = newName();
          const finished: string[] = [];
          let active = 0;
          const job = jobOf(async ({ key }) => {
            active += 1;
            expect(active).toBe(1);
            await new Promise(setImmediate);
            finished.push(key);
            active -= 1;
            return {};
          });
          for (const { minute, processes, isKilled } of steps) {
            if (isKilled) {
              const { job: paused, begun } = createPaused();
              await Promise.race([begun, call(paused, name, minute)]);
              await expireLease(name);
            } else {
              await Promise.all(Array.from({ length: processes }, () => call(job, name, minute)));
            }
          }

          expect(finished).toEqual([...new Set(finished)].sort());
        }),
        { numRuns: 15 },
      );
    });
  });
}
