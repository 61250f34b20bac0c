import * as z from 'zod/mini';
import type { Locale } from '#shared/i18n/locale.ts';
import { isRunning } from '#shared/jobs/choose-run.ts';
import { findNextDue } from '#shared/jobs/due-times.ts';
import { describeTimes, readRateMs } from '#shared/jobs/rate.ts';
import type { StoredRun } from '#shared/jobs/stored-run.ts';
import type { DeclaredJob } from '#shared/module/job.ts';
import { titled } from '#shared/schema/titled.ts';
import { isMissed } from './missed.ts';

const time = z.nullable(z.iso.datetime());

export const jobData = z.strictObject({
  /** Name of its function. */
  id: titled({ zh_CN: '编号', en: 'ID', type: 'id' }, z.string()),
  title: titled({ zh_CN: '任务', en: 'Job' }, z.string()),
  /** In words; of a `cron(…)` the expression and its zone. */
  schedule: titled({ zh_CN: '计划', en: 'Schedule' }, z.string()),
  outcome: titled(
    {
      zh_CN: '结果',
      en: 'Outcome',
      options: {
        waiting: { zh_CN: '尚未运行', en: 'Not run yet' },
        running: { zh_CN: '运行中', en: 'Running' },
        cut: { zh_CN: '待继续', en: 'Goes on' },
        done: { zh_CN: '完成', en: 'Done' },
        failed: { zh_CN: '失败', en: 'Failed' },
        stopped: { zh_CN: '已中断', en: 'Stopped' },
        missed: { zh_CN: '到期未运行', en: 'Missed' },
      },
    },
    z.enum(['waiting', 'running', 'cut', 'done', 'failed', 'stopped', 'missed']),
  ),
  started_at: titled({ zh_CN: '上次运行', en: 'Last run' }, time),
  duration_ms: titled({ zh_CN: '耗时（毫秒）', en: 'Duration (ms)' }, z.nullable(z.int())),
  next_due_at: titled({ zh_CN: '下次运行', en: 'Next run' }, time),
  /** Why the last run failed. */
  code: titled({ zh_CN: '错误码', en: 'Error code' }, z.nullable(z.string())),
  /** Fields that the last finished run returned. */
  result: titled({ zh_CN: '返回', en: 'Result' }, z.nullable(z.record(z.string(), z.unknown()))),
});

const minuteMs = 60_000;
const units = [
  [1440, '天', 'day'],
  [60, '小时', 'hour'],
  [1, '分钟', 'minute'],
] as const;

function describeSchedule(job: DeclaredJob, locale: Locale): string {
  const rateMs = readRateMs(job.schedule);
  if (rateMs === undefined) return describeTimes(job);
  const minutes = rateMs / minuteMs;
  const [size, chinese, english] = units.find(([each]) => minutes % each === 0) ?? units[2];
  const count = minutes / size;
  if (locale === 'zh_CN') return `每 ${count} ${chinese}`;
  return count === 1 ? `every ${english}` : `every ${count} ${english}s`;
}

/** A job with its last run, if there was one. */
export function describeJob(
  job: DeclaredJob,
  run: StoredRun | undefined,
  locale: Locale,
  nowMs = Date.now(),
): z.infer<typeof jobData> {
  const { started_at = null, finished_at = null } = run ?? {};
  return {
    id: job.id,
    title: job.title[locale],
    schedule: describeSchedule(job, locale),
    outcome: run ? findOutcome(job, run, nowMs) : 'waiting',
    started_at,
    duration_ms: started_at && finished_at ? Date.parse(finished_at) - Date.parse(started_at) : null,
    next_due_at: findNext(job, run, nowMs),
    code: run?.code ?? null,
    result: run?.result ? JSON.parse(run.result) : null,
  };
}

/** What the last run expects, because EventBridge counts a rate from its creation; else what the schedule says. */
function findNext(job: DeclaredJob, run: StoredRun | undefined, nowMs: number): string | null {
  const isKnown = run?.schedule === describeTimes(job) && Date.parse(run.next_due_at ?? '') > nowMs;
  return isKnown ? run.next_due_at : (findNextDue(job, new Date(nowMs))?.toISOString() ?? null);
}

function findOutcome(job: DeclaredJob, run: StoredRun, nowMs: number) {
  if (run.outcome === 'running' && !isRunning(run, nowMs)) return 'stopped';
  return isMissed(job, run, nowMs) ? 'missed' : run.outcome;
}
