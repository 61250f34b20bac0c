import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import type { Anchor } from '#shared/audit/anchor.ts';
import { retention } from '#shared/audit/retention.ts';
import { log } from '#shared/log/log.ts';
import { listMonths, monthOf, startOfMonth } from '../digest.ts';
import type { StoredLog } from '../log-source.ts';
import type { Finding } from './findings.ts';
import { verifyMonth } from './verify.ts';
import { verifyEnd } from './verify-end.ts';

/** Where the next run goes on: a month, and the end of its last digest that was checked. */
const progress = z.object({ month: z.string(), after: z.optional(z.string()) });
type Progress = z.infer<typeof progress>;

interface DueOptions {
  /** Unix milliseconds. @default now */
  nowMs?: number;
  /** Returns true if the work must end. */
  isOver?(): boolean;
}

/**
 * Verifies the end of the log, and then month after month from where the last run had to end. A run that comes to the
 * end lets the next one begin with the first month. Each finding is a line that raises the alarm.
 *
 * @param store keeps the progress, outside of the table: who changes the log must not choose what is checked
 */
export async function verifyDue(
  stored: StoredLog,
  store: Anchor,
  { nowMs = Date.now(), isOver = () => false }: DueOptions = {},
) {
  const sum = { months: 0, entries: 0, digests: 0, findings: 0, isComplete: false };
  const report = (finding: Finding | undefined, month?: string) => {
    if (!finding) return;
    sum.findings += 1;
    log.error('audit.verify_failed', { month, ...finding });
  };
  report(await verifyEnd(stored, nowMs));
  const from = readProgress(await store.read());
  const months = await listDue(stored, nowMs);
  for (const month of months.filter((each) => each >= (from?.month ?? ''))) {
    const after = month === from?.month ? from.after : undefined;
    if (isOver()) {
      await store.write(JSON.stringify({ month, after }));
      return sum;
    }
    const result = await verifyMonth(month, stored, nowMs, { after, isOver });
    report(result.finding, month);
    sum.entries += result.entries;
    sum.digests += result.digests;
    if (result.stoppedAt !== undefined) {
      await store.write(JSON.stringify({ month, after: result.stoppedAt }));
      return sum;
    }
    sum.months += 1;
  }
  await store.write('{}');
  return { ...sum, isComplete: true };
}

/** Months with entries or digests, and those after them, until now. */
async function listDue(stored: StoredLog, nowMs: number): Promise<string[]> {
  const oldestMs = startOfMonth(monthOf(nowMs), -mostMonths);
  const months = [...listMonths(oldestMs, nowMs)];
  for (let at = 0; at < months.length; at += monthsAtOnce) {
    const found = await settleAll(
      months.slice(at, at + monthsAtOnce).map((month) => hasItems(stored, month)),
    );
    const first = found.indexOf(true);
    if (first >= 0) return months.slice(at + first);
  }
  return [];
}

const monthsAtOnce = 12;
/** Nothing lives longer than the longest retention, and some days. */
const mostMonths = Math.ceil(retention.max / 30);

async function hasItems(stored: StoredLog, month: string): Promise<boolean> {
  for await (const _entry of stored.entries(month)) return true;
  return (await stored.digests(month)).length > 0;
}

function readProgress(text: string | undefined): Progress | undefined {
  try {
    return z.parse(progress, JSON.parse(text ?? ''));
  } catch {
    return undefined; // The first run, or one after a complete one: from the first month on.
  }
}
