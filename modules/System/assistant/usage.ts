import { listDays, toDay } from '#shared/config/local-time.ts';
import { getItems, transact, type Write } from '#shared/db/items.ts';
import { type Key, keys } from '#shared/db/keys.ts';

export interface AiUsage {
  /** Requests to the provider, including failed ones. */
  calls: number;
  input_tokens: number;
  output_tokens: number;
}

export interface AiUsageStats {
  /** In the service's time zone, today last; days without usage included. */
  days: ({ date: string } & AiUsage)[];
  total: AiUsage;
}

const zero: AiUsage = { calls: 0, input_tokens: 0, output_tokens: 0 };

/** Adds to today's usage, in total and of one administrator. */
export async function recordAiUsage(adminId: string, usage: AiUsage): Promise<void> {
  const day = toDay();
  await transact([add(keys.aiUsage(day), usage), add(keys.aiUsageOf(day, adminId), usage)]);
}

function add(key: Key, { calls, input_tokens, output_tokens }: AiUsage): Write {
  return {
    Update: {
      Key: { ...key },
      UpdateExpression: 'ADD calls :calls, input_tokens :input, output_tokens :output',
      ExpressionAttributeValues: { ':calls': calls, ':input': input_tokens, ':output': output_tokens },
    },
  };
}

/**
 * Usage of all administrators; reads one item per day.
 *
 * @param days number of days, including today; from 1
 */
export async function readAiUsage(days: number): Promise<AiUsageStats> {
  const dates = listDays(days);
  const items = await getItems(dates.map((date) => keys.aiUsage(date)));
  const byDate = new Map(items.map((item) => [item.sk, item]));
  const list = dates.map((date) => {
    const { calls = 0, input_tokens = 0, output_tokens = 0 } = byDate.get(date) ?? {};
    return {
      date,
      calls: Number(calls),
      input_tokens: Number(input_tokens),
      output_tokens: Number(output_tokens),
    };
  });
  return { days: list, total: list.reduce(sum, zero) };
}

function sum(a: AiUsage, b: AiUsage): AiUsage {
  return {
    calls: a.calls + b.calls,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
  };
}
