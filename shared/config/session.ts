const hour = 3600;

/** Static configuration of sessions, in seconds. */
export const sessionConfig = {
  admin: { idleSeconds: 8 * hour, absoluteSeconds: 7 * 24 * hour },
  user: { idleSeconds: 30 * 24 * hour, absoluteSeconds: 180 * 24 * hour },
  /** The last use is written at most once per this part of the idle limit. */
  touchFraction: 1 / 16,
  /** How long a session or principal is served from the cache. */
  cacheSeconds: 60,
};
