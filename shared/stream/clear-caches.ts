import { dictCacheConfig } from '#shared/config/dict-cache.ts';
import { sessionConfig } from '#shared/config/session.ts';
import { siteStatusConfig } from '#shared/config/site-status.ts';
import type { Key } from '#shared/db/keys.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';
import { settingsCacheSeconds } from '#shared/settings/store.ts';
import { type CacheRule, type Clear, cacheRules } from './cache-rules.ts';

/** Beginnings of the partition keys of all items that a cache holds something of. */
export const cachedPrefixes: readonly string[] = cacheRules.map(({ prefix }) => prefix);

/** The longest that any cache keeps what it holds, in seconds; an older change has nothing left to clear. */
export const longestCacheSeconds = Math.max(
  dictCacheConfig.ttl,
  sessionConfig.cacheSeconds,
  siteStatusConfig.cacheTtl,
  settingsCacheSeconds,
);

/**
 * Clears what the caches hold of changed items, each thing once. All that can be cleared is, also where some
 * of it fails.
 *
 * @param groups the settings that the enabled modules declare
 * @returns how many things were cleared
 * @throws AggregateError where a cache was not cleared: it is safe to repeat
 */
export async function clearCaches(
  changed: readonly Key[],
  groups: readonly ConfigGroup[],
  rules: readonly CacheRule[] = cacheRules,
): Promise<{ cleared: number }> {
  const ids = new Map<Clear, Set<string>>();
  for (const key of changed) {
    const rule = rules.find(({ prefix }) => key.pk.startsWith(prefix));
    if (rule) ids.set(rule.clear, (ids.get(rule.clear) ?? new Set()).add(rule.toId(key)));
  }
  const outcomes = await Promise.allSettled([...ids].map(([clear, set]) => clear([...set], groups)));
  const faults = outcomes.flatMap((outcome) => {
    if (outcome.status === 'rejected') return [outcome.reason];
    return outcome.value ? [] : [new Error('the cache did not take it')];
  });
  if (faults.length > 0)
    throw new AggregateError(faults, 'not every cache was cleared', { cause: faults[0] });
  return { cleared: [...ids.values()].reduce((sum, set) => sum + set.size, 0) };
}
