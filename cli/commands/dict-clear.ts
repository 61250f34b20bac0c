import { dictEntries, listCachedTypes } from '#shared/dict/cache.ts';
import { defineCommand } from '../command.ts';

export const dictClear = defineCommand({
  summary: 'clear the cache of dictionary types, of all without one',
  positionals: ['[type…]'],
  options: {},
  async run({ positionals, openStores }) {
    openStores();
    const typeKeys = positionals.length > 0 ? [...positionals] : await listCachedTypes();
    const isCleared = await dictEntries.invalidate(typeKeys);
    if (!isCleared) throw new Error('the cache cannot be reached: nothing was cleared');
    console.log(`Cleared: ${typeKeys.join(', ') || 'nothing was cached'}`);
  },
});
