import { Redis } from 'ioredis';
import { type Outcome, type RedisStore, toReply } from './protocol.ts';

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
    throw new Error(`REDIS_URL cannot be reached: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  return {
    async run(commands) {
      const rows = commands.map(({ name, args }) => [name, ...args]);
      return ((await redis.pipeline(rows).exec()) ?? []).map(toOutcome);
    },
    async close() {
      redis.disconnect();
    },
  };
}

function toOutcome([error, result]: [Error | null, unknown]): Outcome {
  if (error === null) return { result: toReply(result) };
  if (error.name === 'ReplyError') return { error: error.message };
  throw error;
}
