import type { Key } from '#shared/db/items.ts';
import { clearMirrors } from '#shared/db/mirrors.ts';
import type { CachedRecords } from '#shared/module/module.ts';

/** Clears the cache entries of changed items; returns their number. @throws Error if one is left; a repeat is safe */
export async function clearCaches(
  changed: readonly Key[],
  among: readonly CachedRecords[],
): Promise<{ cleared: number }> {
  const found = changed.map((key) => ({
    key,
    mirrors: among.flatMap(({ prefix, mirrors }) => (key.pk.startsWith(prefix) ? mirrors : [])),
  }));
  const { cleared, isDone } = await clearMirrors(found);
  if (!isDone) throw new Error('not every cache was cleared');
  return { cleared };
}
