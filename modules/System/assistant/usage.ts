import { listDays, toDay } from '#shared/config/local-time.ts';
import { type Counter, moveCounter, readCounters } from '#shared/db/counter.ts';
import { transact } from '#shared/db/items.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';

export interface AiUsage {
  /** Requests to the provider, including failed ones. */
  calls: number;
  input_tokens: number;
  output_tokens: number;
}

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

/** Usage of all administrators on the last days, today last and days without usage included, and in total. */
export async function readAiUsage(count: number) {
  const dates = listDays(count);
  const sums = await readCounters(dates.map((date) => counterOf(date)));
  const days = dates.map((date, index) => {
    const { calls = 0, input_tokens = 0, output_tokens = 0 } = sums[index] ?? {};
    return { date, calls, input_tokens, output_tokens };
  });
  const sum = (name: keyof AiUsage) => days.reduce((total, day) => total + day[name], 0);
  const [input_tokens, output_tokens] = [sum('input_tokens'), sum('output_tokens')];
  return { days, total: { calls: sum('calls'), input_tokens, output_tokens } };
}

export const writtenKeys: ListWrittenKeys = () => [counterOf('').key(0).pk];
