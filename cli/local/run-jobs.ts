/** When a job runs: `rate(15 minutes)`. */
export interface Schedule {
  /** Name of the job's function. */
  name: string;
  rate: string;
}

interface PlannedJob extends Schedule {
  minutesLeft: number;
}

const minuteMs = 60_000;
const unitMinutes: Record<string, number> = { minute: 1, hour: 60, day: 1440 };

/**
 * Runs jobs at their rates with one timer. A job that still runs is not started again.
 *
 * @param run invokes a function
 */
export function runJobs(run: (name: string) => Promise<void>) {
  let jobs: PlannedJob[] = [];
  const running = new Set<string>();
  const start = async (name: string) => {
    if (running.has(name)) return;
    running.add(name);
    try {
      await run(name);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    } finally {
      running.delete(name);
    }
  };
  const timer = setInterval(() => {
    for (const job of jobs) {
      job.minutesLeft -= 1;
      if (job.minutesLeft > 0) continue;
      job.minutesLeft = readMinutes(job.rate);
      start(job.name);
    }
  }, minuteMs);
  return {
    /** Replaces the jobs. One whose rate is the same keeps its time. */
    use(schedules: readonly Schedule[]): void {
      jobs = schedules.map(({ name, rate }) => {
        const known = jobs.find((job) => job.name === name && job.rate === rate);
        return known ?? { name, rate, minutesLeft: readMinutes(rate) };
      });
    },
    end: (): void => clearInterval(timer),
  };
}

/** The rules of jobs allow only this form (`functions/checks/checks.ts`). */
function readMinutes(rate: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(rate) ?? [];
  const minutes = Number(count) * (unitMinutes[unit] ?? Number.NaN);
  if (Number.isNaN(minutes)) throw new Error(`The schedule ${rate} is not valid`);
  return minutes;
}
