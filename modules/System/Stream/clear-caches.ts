import { defineStreamListener } from '#shared/module/module.ts';
import { cachedPrefixes, clearCaches, longestCacheSeconds } from '#shared/stream/clear-caches.ts';

/** Clears the caches of what has changed in the table, whoever wrote it. */
export default defineStreamListener({
  prefixes: cachedPrefixes,
  maxAgeSeconds: longestCacheSeconds,
  handle: (changed, modules) => {
    const groups = modules.flatMap(({ configs = [] }) => configs);
    return clearCaches(changed, groups);
  },
});
