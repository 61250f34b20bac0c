import { dictEntries, listCachedTypes } from '#shared/dict/cache.ts';
import type { Command } from '../command.ts';

export const dictClear: Command = {
  usage: '[type…]',
  summary: 'clear the cache of dictionary types, of all without one',
  async run(given) {
    const typeKeys = given.length > 0 ? [...given] : await listCachedTypes();
    const isCleared = await dictEntries.invalidate(typeKeys);
    if (!isCleared) throw new Error('the cache cannot be reached: nothing was cleared');
    console.log(`Cleared: ${typeKeys.join(', ') || 'nothing was cached'}`);
  },
};
