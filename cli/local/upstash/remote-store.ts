import { Redis } from 'ioredis';
import type { RedisStore } from './protocol.ts';

/** Connects to a real Redis. @param url `redis://` or `rediss://` @throws Error in one line if it cannot be reached */
export async function createRemoteStore(url: string): Promise<RedisStore> {
  let isReachable = false;
  let lastError: Error | undefined;
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    // Reconnects, but only if the address has answered before.
    retryStrategy: (attempt) => (isReachable ? Math.min(attempt * 50, 2_000) : null),
  });
  // Commands report lost connections. Without a listener, each loss is printed too.
  redis.on('error', (error: Error) => {
    lastError = error;
  });
  try {
    await redis.connect();
    isReachable = true;
  } catch (error) {
    const cause = lastError ?? error;
    throw new Error(`REDIS_URL cannot be reached: ${Object(cause).message}`, { cause });
  }
  return {
    async run(name, args) {
      try {
        return { result: await redis.call(name, args) };
      } catch (error) {
        if (error instanceof Error && error.name === 'ReplyError') return { error: error.message };
        throw error;
      }
    },
    async close() {
      redis.disconnect();
    },
  };
}
