import { settleAll } from '#shared/async/settle-all.ts';

/** An item that was written. */
interface Changed {
  pk: string;
  sk: string;
  isPut?: boolean;
}

/** A cache with entries that mirror items. */
export interface Mirror {
  /** Prefix of the partition keys of the items. */
  prefix: string;
  /** The ID of an item's entry. @default the rest of `pk` after the prefix */
  toId?(item: Changed): string;
  cache: {
    ttlSeconds: number;
    /** @returns whether the cache is cleared; never throws */
    invalidate(ids: string[]): Promise<boolean>;
  };
  /** Whether a put clears too: if puts replace items, or if the cache remembers that an item does not exist. */
  clearsOnPut?: boolean;
}

const mirrors = new Set<Mirror>();

/** Lets the writes of this process clear a mirror; `defineEntity` calls it. */
export function addMirror(mirror: Mirror): Mirror {
  mirrors.add(mirror);
  return mirror;
}

/** Clears the entries of changed items, each once; returns their number. Entries that are not cleared expire. */
export async function clearMirrors(
  changed: readonly Changed[],
  among: Iterable<Mirror> = mirrors,
): Promise<{ cleared: number; isDone: boolean }> {
  const entries = new Map<Mirror['cache'], Set<string>>();
  for (const { prefix, toId, cache, clearsOnPut } of among) {
    for (const item of changed) {
      if (!item.pk.startsWith(prefix) || (item.isPut && !clearsOnPut)) continue;
      const id = toId ? toId(item) : item.pk.slice(prefix.length);
      entries.set(cache, (entries.get(cache) ?? new Set()).add(id));
    }
  }
  const outcomes = await settleAll([...entries].map(([cache, ids]) => cache.invalidate([...ids])));
  return {
    cleared: entries.values().reduce((sum, ids) => sum + ids.size, 0),
    isDone: outcomes.every(Boolean),
  };
}
