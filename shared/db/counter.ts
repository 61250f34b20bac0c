import { randomInt } from 'node:crypto';
import { getItems, type Key, type Write } from './items.ts';
import { changeItem } from './writes.ts';

/** A counter over several items, because transactions at the same time would wait for a single one. */
export interface Counter {
  /** Number of items. */
  shards: number;
  key(shard: number): Key;
}

/** The write that changes a counter. A shard may fall below 0, the sum of all shards does not. */
export const moveCounter = ({ shards, key }: Counter, by: Record<string, number>): Write =>
  changeItem(key(randomInt(shards)), { add: by });

/** The sums of several counters, in their order, read in one request. */
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
