import * as z from 'zod/mini';
import type { DeclaredJob } from '#shared/http/needs.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { findNextDue } from '#shared/jobs/due-times.ts';
import { readRateMs } from '#shared/jobs/rate.ts';
import type { StoredRun } from '#shared/jobs/stored-run.ts';
import type { Schedule } from '#shared/module/job.ts';
import { titled } from '#shared/schema/titled.ts';

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

function describeSchedule(given: Schedule, locale: Locale): string {
  const { schedule, timeZone = 'UTC' } = given;
  const minutes = (readRateMs(schedule) ?? 0) / minuteMs;
  if (minutes === 0) return `${schedule} ${timeZone}`;
  const [size, chinese, english] = units.find(([each]) => minutes % each === 0) ?? units[2];
  const count = minutes / size;
  if (locale === 'zh_CN') return `每 ${count} ${chinese}`;
  return count === 1 ? `every ${english}` : `every ${count} ${english}s`;
}

/** Jobs may be called this late, in milliseconds. */
const lateMs = 15 * 60_000;

/** Whether a job was not called when it was due. */
export const isMissed = ({ outcome, next_due_at }: StoredRun, nowMs = Date.now()): boolean =>
  outcome !== 'running' && next_due_at !== null && nowMs - Date.parse(next_due_at) > lateMs;

/** A job with its last run, if there was one. */
export function describeJob(
  { id, title, schedule, timeZone }: DeclaredJob,
  run: StoredRun | undefined,
  locale: Locale,
  nowMs = Date.now(),
): z.infer<typeof jobData> {
  const { started_at = null, finished_at = null } = run ?? {};
  const times = { schedule, ...(timeZone !== undefined && { timeZone }) };
  return {
    id,
    title: title[locale],
    schedule: describeSchedule(times, locale),
    outcome: run ? findOutcome(run, nowMs) : 'waiting',
    started_at,
    duration_ms: started_at && finished_at ? Date.parse(finished_at) - Date.parse(started_at) : null,
    next_due_at: findNextDue(times, new Date(nowMs))?.toISOString() ?? null,
    code: run?.code ?? null,
    result: run?.result ? JSON.parse(run.result) : null,
  };
}

function findOutcome(run: StoredRun, nowMs: number) {
  if (run.outcome === 'running' && run.lease_until <= nowMs) return 'stopped';
  return isMissed(run, nowMs) ? 'missed' : run.outcome;
}
