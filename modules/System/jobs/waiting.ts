import { listRuns } from '#shared/jobs/stored-run.ts';
import { isMissed } from './list-jobs.ts';

const dayMs = 86_400_000;
/** The module of a job that is silent for longer is not enabled any more. */
const forgottenMs = 30 * dayMs;

/** The jobs whose last run failed, or that were not called when they were due. One query. */
export async function countFailedJobs(nowMs = Date.now()): Promise<number> {
  const runs = await listRuns();
  return runs.filter(
    (run) =>
      nowMs - Date.parse(run.due_at) < forgottenMs && (run.outcome === 'failed' || isMissed(run, nowMs)),
  ).length;
}
