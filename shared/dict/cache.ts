import { settleAll } from '#shared/async/settle-all.ts';
import { redis } from '#shared/cache/redis.ts';
import { VersionedCache } from '#shared/cache/versioned-cache.ts';
import { getItems, queryPartition } from '#shared/db/items.ts';
import { dictItemsOf, dictTypeKey } from './read-schema.ts';

/** Static configuration of the dictionary cache (specification, "Dictionary cache"). */
export const dictCacheConfig = {
  enabled: true,
  /** Seconds an entry lives, and the bound of staleness where an invalidation could not reach the cache. */
  ttl: 300,
  prefix: 'service:dict',
};

/** What the cache keeps of a type: who may read it, and its enabled items in their order. */
export interface DictEntry {
  /** False too for a type that does not exist, so that asking for it does not reach the database each time. */
  isEnabled: boolean;
  isPublic: boolean;
  /** `[value, name]` of each enabled item. */
  options: [value: string, name: string][];
}

const { enabled, ttl, prefix } = dictCacheConfig;
/** One entry per type key (specification, "Dictionary cache"). */
export const dictEntryKey = (typeKey: string): string => `${prefix}:type:${typeKey}`;

/** Dictionary types by key, as readers need them. */
export const dictEntries = new VersionedCache<DictEntry>({
  entryKey: dictEntryKey,
  generationKey: (typeKey) => `${prefix}:generation:${typeKey}`,
  ttlSeconds: ttl,
  isEnabled: enabled,
  load: loadEntries,
});

async function loadEntries(typeKeys: string[]): Promise<Map<string, DictEntry>> {
  const [types, ...lists] = await settleAll([
    getItems(typeKeys.map((type_key) => dictTypeKey({ type_key }))),
    ...typeKeys.map((typeKey) => queryPartition(dictItemsOf(typeKey), ['sk', 'name', 'sort', 'status'])),
  ]);
  const typesByKey = new Map(types.map((type) => [type.sk, type]));
  return new Map(
    typeKeys.map((typeKey, index) => {
      const type = typesByKey.get(typeKey);
      const items = (lists[index] ?? []).filter((item) => item.status === 'enabled');
      const options = items
        .map((item) => ({ value: String(item.sk), name: String(item.name), sort: Number(item.sort) }))
        .sort(byOrder)
        .map(({ value, name }): [string, string] => [value, name]);
      return [typeKey, { isEnabled: type?.enabled === true, isPublic: type?.public === true, options }];
    }),
  );
}

/**
 * Keys of every type that the cache holds something of, of types that do not exist too.
 *
 * @throws CacheUnavailableError when the cache is away
 */
export async function listCachedTypes(): Promise<string[]> {
  const cached = new Set<string>();
  let cursor = '0';
  do {
    const [next, found] = await redis().scan(cursor, { match: dictEntryKey('*'), count: 200 });
    cursor = next;
    for (const key of found) cached.add(key.slice(dictEntryKey('').length));
  } while (cursor !== '0');
  return [...cached].sort();
}

/** Order of items: `sort` descending, then `value` by code unit. */
export function byOrder(a: { sort: number; value: string }, b: { sort: number; value: string }): number {
  return b.sort - a.sort || (a.value < b.value ? -1 : Number(a.value > b.value));
}
