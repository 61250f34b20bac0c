import { defineStreamListener } from '#shared/module/module.ts';
import { cachedPrefixes, clearCaches, longestCacheSeconds, mirrors } from '#shared/stream/clear-caches.ts';
import { adminProfiles } from '../admins/admin-record.ts';
import { userProfiles } from '../users/profile.ts';

/** Clears the caches of changed items, also after a direct change of the table. */
export default defineStreamListener({
  prefixes: cachedPrefixes,
  maxAgeSeconds: longestCacheSeconds,
  handle: (changed) => clearCaches(changed, [...mirrors, adminProfiles.mirror, userProfiles.mirror]),
});
