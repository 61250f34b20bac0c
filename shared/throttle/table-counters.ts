import { getItems, holds, singleKey, transact } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { Counter, Tally } from './process-counters.ts';

/**
 * Counts in the table, in one transaction. Its windows begin at fixed times.
 *
 * @throws AppError `database.*` if the table cannot be reached
 */
export async function countInTable(counters: readonly Counter[]): Promise<Tally> {
  const now = Math.floor(Date.now() / 1000);
  const windows = counters.map((counter) => toWindow(counter, now));
  const isCounted = await holds(transact(windows.map(({ write }) => write)));
  const items = await getItems(windows.map(({ key }) => key));
  const stored = new Map(items.map((item) => [String(item.pk), Number(item.count)]));
  return {
    counts: windows.map(({ key, endsAt }) => ({
      used: (stored.get(key.pk) ?? 0) - (isCounted ? 1 : 0),
      resetSeconds: endsAt - now,
    })),
    release: async (released) => {
      await transact(released.map((counter) => toWindow(counter, now).undo));
    },
  };
}

function toWindow({ id, limit, windowSeconds }: Counter, now: number) {
  const startsAt = now - (now % windowSeconds);
  const endsAt = startsAt + windowSeconds;
  const key = singleKey(`THROTTLE#${id}#${startsAt}`);
  const change = { add: { count: 1 }, set: { [ttlAttribute]: endsAt }, atMost: { count: limit - 1 } };
  const undo = changeItem(key, { add: { count: -1 }, atLeast: { count: 1 } });
  return { key, endsAt, write: changeItem(key, change), undo };
}
