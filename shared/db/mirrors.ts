import { settleAll } from '#shared/async/settle-all.ts';
import type { Key } from './write.ts';

/** An item that was written, with the caches that mirror it. */
export interface ChangedItem {
  key: Key;
  isPut?: boolean;
  mirrors: readonly Mirror[];
}

/** A cache with entries that mirror the rows of an entity. */
export interface Mirror {
  /** The ID of a row's entry; undefined if the row has none. @default the rest of `pk` after the first `#` */
  toId?(key: Key): string | undefined;
  cache: {
    ttlSeconds: number;
    /** @returns whether the cache is cleared; never throws */
    invalidate(ids: string[]): Promise<boolean>;
  };
  /** Whether a put clears too: if puts replace items, or if the cache remembers that an item does not exist. */
  clearsOnPut?: boolean;
}

const afterKind = ({ pk }: Key): string => pk.slice(pk.indexOf('#') + 1);

/** Clears the entries of changed items, each once; returns their number. Entries that are not cleared expire. */
export async function clearMirrors(
  changed: readonly ChangedItem[],
): Promise<{ cleared: number; isDone: boolean }> {
  const entries = new Map<Mirror['cache'], Set<string>>();
  for (const { key, isPut, mirrors } of changed) {
    for (const { toId = afterKind, cache, clearsOnPut } of mirrors) {
      const id = isPut && !clearsOnPut ? undefined : toId(key);
      if (id !== undefined) entries.set(cache, (entries.get(cache) ?? new Set()).add(id));
    }
  }
  const outcomes = await settleAll([...entries].map(([cache, ids]) => cache.invalidate([...ids])));
  return {
    cleared: entries.values().reduce((sum, ids) => sum + ids.size, 0),
    isDone: outcomes.every(Boolean),
  };
}
