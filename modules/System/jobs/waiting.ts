import { listRuns } from '#shared/jobs/stored-run.ts';
import type { DeclaredJob } from '#shared/module/job.ts';
import { isMissed } from './missed.ts';

/** The jobs whose last run failed, or that were not called when they were due. One query. */
export async function countFailedJobs(jobs: readonly DeclaredJob[], nowMs = Date.now()): Promise<number> {
  const runs = await listRuns();
  return jobs.filter((job) => {
    const run = runs.find(({ name }) => name === job.id);
    return run && (run.outcome === 'failed' || isMissed(job, run, nowMs));
  }).length;
}
