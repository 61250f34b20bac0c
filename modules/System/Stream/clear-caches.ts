import { defineCacheListener } from '#shared/module/module.ts';
import { clearCaches } from '#shared/stream/clear-caches.ts';

/** Clears the caches of changed items, also after a direct change of the table. */
export default defineCacheListener({ handle: (changed, cached) => clearCaches(changed, cached) });
