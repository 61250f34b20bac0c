/** Static configuration of the dictionary cache (specification, "Dictionary cache"). */
export const dictCacheConfig = {
  enabled: true,
  /** Seconds an entry lives, and the bound of staleness where an invalidation could not reach the cache. */
  ttl: 300,
  prefix: 'service:dict',
};
