import { ConditionError } from '#shared/db/errors.ts';
import { getItems, transact, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import type { Count, Counter } from './counters.ts';

/**
 * Counts in the table, in one transaction, by windows that stand fixed on the clock.
 *
 * @throws AppError `database.*` when the table cannot be reached either
 */
export async function countInTable(counters: Counter[]): Promise<Count[]> {
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
  return windows.map(({ key, endsAt }) => ({
    used: (stored.get(key.pk) ?? 0) - (isCounted ? 1 : 0),
    resetSeconds: endsAt - now,
  }));
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
  return { key, endsAt, write };
}
