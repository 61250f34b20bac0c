import { isRunning } from '#shared/jobs/choose-run.ts';
import { describeTimes } from '#shared/jobs/rate.ts';
import type { StoredRun } from '#shared/jobs/stored-run.ts';
import type { DeclaredJob } from '#shared/module/job.ts';

/** Jobs may be called this late, in milliseconds. */
const lateMs = 15 * 60_000;

/** Whether a job was not called when it was due. After a change of its schedule, that is not known until it ran. */
export const isMissed = (job: DeclaredJob, run: StoredRun, nowMs: number): boolean =>
  !isRunning(run, nowMs) &&
  run.schedule === describeTimes(job) &&
  run.next_due_at !== null &&
  nowMs - Date.parse(run.next_due_at) > lateMs;
