import { findLatestDue } from '#shared/jobs/due-times.ts';
import type { Schedule } from '#shared/module/job.ts';

/** A job of the local server. */
export interface PlannedJob extends Schedule {
  /** Name of the job's function. */
  name: string;
}

interface KnownJob {
  job: PlannedJob;
  /** Latest due time for which the job was called, or before which it was planned. */
  calledMs: number;
  /** Whether to call again for a time: of a run that was cut, or that another process had. */
  isOpen: boolean;
  isCatchingUp: boolean;
}

const minuteMs = 60_000;

/**
 * Calls jobs at their due times with one timer. The first time, they are called for the due time before the start too:
 * what was run for it is stored (`shared/jobs/run-job.ts`). A job that still runs is not called again.
 *
 * @param invoke calls a function, and returns its answer
 */
export function runJobs(invoke: (name: string, event: object) => Promise<unknown>) {
  let known: KnownJob[] = [];
  const running = new Set<string>();
  const call = async (each: KnownJob, due: Date) => {
    const { name } = each.job;
    running.add(name);
    try {
      const answer = await invoke(name, {
        due: due.toISOString(),
        ...(each.isCatchingUp && { isCatchingUp: true }),
      });
      each.isOpen = Object(answer).again === true;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      each.isOpen = false;
    } finally {
      running.delete(name);
    }
  };
  const tick = () => {
    for (const each of known) {
      const due = findLatestDue(each.job, new Date());
      if (!due || running.has(each.job.name)) continue;
      const isNew = due.getTime() > each.calledMs;
      if (!isNew && !each.isOpen) continue;
      each.isCatchingUp = each.isCatchingUp && !isNew;
      each.calledMs = due.getTime();
      void call(each, due);
    }
  };
  const timer = setInterval(tick, minuteMs);
  return {
    /** Replaces the jobs. One whose schedule is the same keeps its time. */
    use(jobs: readonly PlannedJob[]): void {
      known = jobs.map((job) => {
        const same = known.find((each) => JSON.stringify(each.job) === JSON.stringify(job));
        const calledMs = findLatestDue(job, new Date())?.getTime() ?? 0;
        return same ?? { job, calledMs, isOpen: true, isCatchingUp: true };
      });
    },
    end: (): void => clearInterval(timer),
  };
}
