import { settleAll } from '#shared/async/settle-all.ts';
import { redis } from '#shared/cache/redis.ts';
import { VersionedCache } from '#shared/cache/versioned-cache.ts';
import { getItems, queryPartition } from '#shared/db/items.ts';
import { byOrder } from './order.ts';
import { dictItemsOf, dictTypeKey } from './read-schema.ts';

/** Static configuration of the dictionary cache (specification, "Dictionary cache"). */
const dictCacheConfig = {
  enabled: true,
  /** Lifetime of an entry in seconds; after a failed invalidation, reads are stale for at most this long. */
  ttl: 300,
  prefix: 'service:dict',
};

/** A cached type. */
export interface DictEntry {
  /** False too if the type does not exist: this is cached as well. */
  isEnabled: boolean;
  isPublic: boolean;
  /** `[value, name]` of each enabled item, in the order of {@link byOrder}. */
  options: [value: string, name: string][];
}

const { enabled, ttl, prefix } = dictCacheConfig;
/** One entry per type key (specification, "Dictionary cache"). */
const dictEntryKey = (typeKey: string): string => `${prefix}:type:${typeKey}`;

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

/** Keys of all cached types, also of types that do not exist. @throws CacheUnavailableError if the cache is away */
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
