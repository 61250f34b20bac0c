import { randomInt } from 'node:crypto';
import { getItems, type Key, type Write } from './items.ts';
import { changeItem } from './writes.ts';

/** A counter that is spread over several items: transactions at the same time would wait for a single one. */
export interface Counter {
  /** How many items. */
  shards: number;
  key(shard: number): Key;
}

/** The write that moves a counter; a shard may fall below 0, the sum of all shards does not. */
export const moveCounter = ({ shards, key }: Counter, by: Record<string, number>): Write =>
  changeItem(key(randomInt(shards)), { add: by });

/** The sums of several counters, in their order and in one request. */
export async function readCounters(counters: readonly Counter[]): Promise<Record<string, number>[]> {
  const keys = counters.map(({ shards, key }) => Array.from({ length: shards }, (_, shard) => key(shard)));
  const items = await getItems(keys.flat());
  return keys.map((own) => {
    const sums: Record<string, number> = {};
    for (const { pk, sk, ...counts } of items) {
      if (!own.some((key) => key.pk === pk && key.sk === sk)) continue;
      for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + Number(count);
    }
    return sums;
  });
}
