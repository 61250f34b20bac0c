import { getItems } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import { dictEntries, listCachedTypes } from '#shared/dict/cache.ts';
import { createCommand } from '../command.ts';
import { useEnvironment } from '../environment.ts';

export const dictClear = createCommand('dict:clear', 'clear the cache of dictionary types')
  .argument('[type...]', 'keys of the types; all without one')
  .action(async (types) => {
    useEnvironment();
    await assertKnown(types);
    const typeKeys = types.length > 0 ? types : await listCachedTypes();
    const isCleared = await dictEntries.invalidate(typeKeys);
    if (!isCleared) throw new Error('the cache cannot be reached: nothing was cleared');
    console.log(`Cleared: ${typeKeys.join(', ') || 'nothing was cached'}`);
  });

/** @throws Error naming the types that exist neither in the database nor in the cache */
async function assertKnown(typeKeys: readonly string[]): Promise<void> {
  const stored = await getItems([...new Set(typeKeys)].map(keys.dictType));
  const missing = typeKeys.filter((typeKey) => !stored.some(({ sk }) => sk === typeKey));
  if (missing.length === 0) return;
  // The cache can still hold a type that was deleted.
  const cached = await listCachedTypes();
  const unknown = missing.filter((typeKey) => !cached.includes(typeKey));
  if (unknown.length > 0) throw new Error(`There is no dictionary type ${unknown.join(', ')}`);
}
