import { randomUUID } from 'node:crypto';
import { holds } from '#shared/db/items.ts';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { Job, Schedule } from '#shared/module/job.ts';
import { chooseRun } from './choose-run.ts';
import { describeTimes, readRateMs } from './rate.ts';
import { recordFailure } from './record-failure.ts';
import { changeRun, readRun, type StoredRun, writeRun } from './stored-run.ts';

/** A due time for which a job is called. */
export interface Call {
  /** Name of the job's function. */
  name: string;
  due: Date;
  /** Whether a job that never ran waits for its next due time. @default false */
  isCatchingUp?: boolean;
  /** Milliseconds until the process or function is stopped. */
  remainingMs(): number;
}

/** What became of a call; `again` asks to call for the same due time in a minute. */
export interface Answer {
  state: 'done' | 'cut' | 'done before' | 'waiting' | 'running';
  again: boolean;
  /** Fields that the job returned. */
  result?: object;
}

/** A job must end this long before the function is stopped, in milliseconds. */
const reserveMs = 10_000;
/** Most characters of a cursor, and of a result that is kept. */
const [mostCursor, mostResult] = [10_000, 4000];

/**
 * Runs a job for a due time, once: calls for it that come late, twice, or to another process find it done. A run that
 * was cut or killed is finished first, for its own due time.
 *
 * @throws what the job throws
 */
export async function runJob(job: Job, call: Call): Promise<Answer> {
  for (;;) {
    const taken = await take(job, call);
    if ('state' in taken) return taken;
    const answer = await perform(job, taken, call);
    if (answer.again || taken.due_at >= call.due.toISOString()) return answer;
  }
}

/** Takes the lease of what is to run, or says why nothing is. */
async function take(job: Job, call: Call): Promise<StoredRun | Answer> {
  for (;;) {
    const old = await readRun(call.name);
    const nowMs = Date.now();
    const schedule = describeTimes(job);
    const chosen = chooseRun(old, call.due.toISOString(), schedule, nowMs);
    if ('state' in chosen) return chosen;
    if (!old && call.isCatchingUp) return { state: 'waiting', again: false };
    const kept = chosen.isNew ? undefined : old;
    const run: StoredRun = {
      name: call.name,
      outcome: 'running',
      due_at: chosen.due,
      schedule,
      next_due_at: await findNext(job, new Date(chosen.due)),
      started_at: new Date(nowMs).toISOString(),
      finished_at: null,
      lease_until: Math.ceil(nowMs + call.remainingMs()),
      holder: randomUUID(),
      tries: (kept?.tries ?? 0) + (kept?.outcome === 'cut' ? 0 : 1),
      cursor: kept?.cursor ?? null,
      result: old?.result ?? null,
      code: null,
      version: old?.version ?? 0,
    };
    // Another process was quicker: what it left is looked at again.
    if (!(await holds(writeRun(old, run)))) continue;
    if (chosen.isStopped) await recordFailure(call.name, 'job.stopped');
    if (chosen.isMissed) await recordFailure(call.name, 'job.missed');
    return run;
  }
}

/** Only a `cron(…)` needs a library. */
async function findNext(schedule: Schedule, after: Date): Promise<string | null> {
  const rateMs = readRateMs(schedule.schedule);
  if (rateMs !== undefined) return new Date(after.getTime() + rateMs).toISOString();
  const { findNextDue } = await import('./due-times.ts');
  return findNextDue(schedule, after)?.toISOString() ?? null;
}

async function perform(job: Job, run: StoredRun, { name, remainingMs }: Call): Promise<Answer> {
  let wasOver = false;
  let cursor = run.cursor ?? undefined;
  const deadline = new Date(run.lease_until);
  const end = (change: Partial<StoredRun>) =>
    changeRun(run, { finished_at: new Date().toISOString(), ...change });
  try {
    const result = await job.run({
      due: new Date(run.due_at),
      key: `${name}#${run.due_at}`,
      deadline,
      cursor,
      isOver() {
        wasOver ||= remainingMs() < reserveMs;
        return wasOver;
      },
      async keep(next) {
        if (next.length > mostCursor) throw new Error(`a cursor has at most ${mostCursor} characters`);
        await changeRun(run, { cursor: next });
        cursor = next;
      },
    });
    const isCut = wasOver && cursor !== undefined;
    // A job of JavaScript may return nothing.
    const shown = JSON.stringify(result ?? {});
    const state = isCut ? 'cut' : 'done';
    await end({
      outcome: state,
      cursor: isCut ? (cursor ?? null) : null,
      result: shown.length > mostResult ? null : shown,
    });
    return { state, again: isCut, result };
  } catch (error) {
    const { code } = toAppError(error);
    // Without the lease, the run of another process is stored.
    if (code !== 'job.lost') await endFailed(end, code);
    await recordFailure(name, code);
    throw error;
  }
}

/** The database may be the reason of the failure: then the lease ends by itself. */
async function endFailed(end: (change: Partial<StoredRun>) => Promise<void>, code: string): Promise<void> {
  try {
    await end({ outcome: 'failed', code });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
