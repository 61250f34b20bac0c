import { apiTokenEntity } from '#shared/auth/api-token.ts';
import { adminEntity, roleEntity, userEntity } from '#shared/auth/principal.ts';
import { sessionEntity } from '#shared/auth/session.ts';
import type { Key } from '#shared/db/items.ts';
import { clearMirrors, type Mirror } from '#shared/db/mirrors.ts';
import { dictItems } from '#shared/dict/items.ts';
import { dictTypes } from '#shared/dict/types.ts';
import { settingsMirrors } from '#shared/settings/store.ts';

const mirrored = [dictTypes, dictItems, adminEntity, roleEntity, userEntity, sessionEntity, apiTokenEntity];

/** All caches of items. */
export const mirrors: readonly Mirror[] = [...mirrored.map(({ mirror }) => mirror), ...settingsMirrors];

/** Prefixes of the partition keys of all cached items. */
export const cachedPrefixes: readonly string[] = mirrors.map(({ prefix }) => prefix);

/** Longest lifetime of a cache entry, in seconds. An older change has no entry left to clear. */
export const longestCacheSeconds = Math.max(...mirrors.map(({ cache }) => cache.ttlSeconds));

/** Clears the cache entries of changed items; returns their number. @throws Error if one is left; a repeat is safe */
export async function clearCaches(changed: readonly Key[], among = mirrors): Promise<{ cleared: number }> {
  const { cleared, isDone } = await clearMirrors(changed, among);
  if (!isDone) throw new Error('not every cache was cleared');
  return { cleared };
}
