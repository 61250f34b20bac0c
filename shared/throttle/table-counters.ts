import { ConditionError } from '#shared/db/errors.ts';
import { getItems, transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import type { Counter, Tally } from './process-counters.ts';

/**
 * Counts in the table, in one transaction, by windows that stand fixed on the clock.
 *
 * @throws AppError `database.*` when the table cannot be reached either
 */
export async function countInTable(counters: readonly Counter[]): Promise<Tally> {
  const now = Math.floor(Date.now() / 1000);
  const windows = counters.map((counter) => toWindow(counter, now));
  const isCounted = await transact(windows.map(({ write }) => write)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ConditionError) return false;
      throw error;
    },
  );
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
  const key = keys.throttle(id, startsAt);
  const write: Write = {
    Update: {
      Key: { ...key },
      UpdateExpression: 'ADD #count :one SET #ttl = :ends',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :limit',
      ExpressionAttributeNames: { '#count': 'count', '#ttl': ttlAttribute },
      ExpressionAttributeValues: { ':one': 1, ':ends': endsAt, ':limit': limit },
    },
  };
  const undo: Write = {
    Update: {
      Key: { ...key },
      UpdateExpression: 'ADD #count :minusOne',
      ConditionExpression: '#count > :none',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':minusOne': -1, ':none': 0 },
    },
  };
  return { key, endsAt, write, undo };
}
