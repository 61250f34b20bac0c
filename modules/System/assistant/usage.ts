import { listDays, toDay } from '#shared/config/local-time.ts';
import { type Counter, moveCounter, readCounters } from '#shared/db/counter.ts';
import { transact } from '#shared/db/items.ts';

export interface AiUsage {
  /** Requests to the provider, including failed ones. */
  calls: number;
  input_tokens: number;
  output_tokens: number;
}

interface AiUsageStats {
  /** In the service's time zone, today last; days without usage included. */
  days: ({ date: string } & AiUsage)[];
  total: AiUsage;
}

const zero: AiUsage = { calls: 0, input_tokens: 0, output_tokens: 0 };

/** @param adminId without it, the usage of all administrators */
const counterOf = (day: string, adminId?: string): Counter => ({
  shards: 1,
  key: () => ({ pk: 'AI_USAGE', sk: adminId === undefined ? day : `${day}#${adminId}` }),
});

/** Adds to today's usage, in total and of one administrator. */
export async function recordAiUsage(adminId: string, usage: AiUsage): Promise<void> {
  const day = toDay();
  await transact([counterOf(day), counterOf(day, adminId)].map((each) => moveCounter(each, { ...usage })));
}

/**
 * Usage of all administrators; reads one item per day.
 *
 * @param days number of days, including today; from 1
 */
export async function readAiUsage(days: number): Promise<AiUsageStats> {
  const dates = listDays(days);
  const sums = await readCounters(dates.map((date) => counterOf(date)));
  const list = dates.map((date, index) => {
    const { calls = 0, input_tokens = 0, output_tokens = 0 } = sums[index] ?? {};
    return { date, calls, input_tokens, output_tokens };
  });
  return { days: list, total: list.reduce(sum, zero) };
}

const sum = (a: AiUsage, b: AiUsage): AiUsage => ({
  calls: a.calls + b.calls,
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
});
