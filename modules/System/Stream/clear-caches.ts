import { defineStreamListener } from '#shared/module/module.ts';
import { cachedPrefixes, clearCaches, longestCacheSeconds } from '#shared/stream/clear-caches.ts';

/** Clears the caches of changed items, also after a direct change of the table. */
export default defineStreamListener({
  prefixes: cachedPrefixes,
  maxAgeSeconds: longestCacheSeconds,
  handle: (changed) => clearCaches(changed),
});
