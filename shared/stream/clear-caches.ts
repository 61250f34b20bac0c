import { settleAll } from '#shared/async/settle-all.ts';
import { apiTokenEntity, invalidateApiToken } from '#shared/auth/api-token.ts';
import {
  adminEntity,
  adminPrincipals,
  sessionConfig,
  userEntity,
  userPrincipals,
} from '#shared/auth/principal.ts';
import { sessionEntity, sessions } from '#shared/auth/session.ts';
import type { Key } from '#shared/db/items.ts';
import { dictCacheConfig, dictEntries } from '#shared/dict/cache.ts';
import { dictItemsOf, dictTypeKey } from '#shared/dict/read-schema.ts';
import { type ConfigGroup, configKey } from '#shared/settings/group.ts';
import { siteStatusConfig } from '#shared/settings/site-status.ts';
import { invalidateSettings, settingsCacheSeconds } from '#shared/settings/store.ts';

/**
 * Drops cache entries.
 *
 * @param groups settings of the enabled modules
 * @returns whether the caches are cleared
 */
type Clear = (ids: string[], groups: readonly ConfigGroup[]) => Promise<boolean>;

/** The cache entries of some items. */
export interface CacheRule {
  /** Prefix of the items' partition keys. */
  prefix: string;
  /** The ID of the cache entry of an item; several items may share one entry. */
  toId(key: Key): string;
  clear: Clear;
}

const sortKey = ({ sk }: Key): string => sk;
const afterPrefix = ({ pk }: Key): string => pk.slice(pk.indexOf('#') + 1);

/** All cached items. */
export const cacheRules: readonly CacheRule[] = [
  { prefix: dictTypeKey({ type_key: '' }).pk, toId: sortKey, clear: dictEntries.invalidate },
  { prefix: dictItemsOf(''), toId: afterPrefix, clear: dictEntries.invalidate },
  { prefix: configKey('', '').pk, toId: afterPrefix, clear: clearSettings },
  { prefix: adminEntity.key({ id: '' }).pk, toId: afterPrefix, clear: adminPrincipals.invalidate },
  { prefix: userEntity.key({ id: '' }).pk, toId: afterPrefix, clear: userPrincipals.invalidate },
  { prefix: sessionEntity.key({ id: '' }).pk, toId: afterPrefix, clear: sessions.invalidate },
  {
    prefix: apiTokenEntity.key({ adminId: '', id: '' }).pk,
    toId: (key) => `${afterPrefix(key)}#${key.sk}`,
    clear: clearApiTokens,
  },
];

async function clearSettings(names: string[], groups: readonly ConfigGroup[]): Promise<boolean> {
  const find = (name: string) => groups.find((group) => group.name === name);
  return isTaken(names.map((name) => invalidateSettings(name, find(name))));
}

async function clearApiTokens(ids: string[]): Promise<boolean> {
  return isTaken(
    ids.map((place) => {
      const end = place.indexOf('#');
      return invalidateApiToken({ adminId: place.slice(0, end), id: place.slice(end + 1) });
    }),
  );
}

async function isTaken(clearings: Promise<boolean>[]): Promise<boolean> {
  return (await settleAll(clearings)).every(Boolean);
}

/** Prefixes of the partition keys of all cached items. */
export const cachedPrefixes: readonly string[] = cacheRules.map(({ prefix }) => prefix);

/** Longest lifetime of a cache entry, in seconds. An older change has no entry left to clear. */
export const longestCacheSeconds = Math.max(
  dictCacheConfig.ttl,
  sessionConfig.cacheSeconds,
  siteStatusConfig.cacheTtl,
  settingsCacheSeconds,
);

/**
 * Clears the cache entries of changed items, each entry once. A failure does not stop the others.
 *
 * @param groups settings of the enabled modules
 * @returns the number of cleared entries
 * @throws AggregateError if a cache was not cleared; a repeat is safe
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
