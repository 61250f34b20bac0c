import { Redis } from 'ioredis';
import { assertAvailable } from './available-commands.ts';
import {
  type Outcome,
  type RedisBackend,
  type RedisCommand,
  RedisError,
  type Reply,
} from './redis-backend.ts';

/**
 * Runs commands on a real Redis.
 *
 * @param url - A `redis://` or `rediss://` address.
 * @throws Error in one line when it cannot be reached.
 */
export async function createRemoteBackend(url: string): Promise<RedisBackend> {
  let isReachable = false;
  let lastError: Error | undefined;
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    // A connection that was there is worth waiting for; an address that never answered is a mistake to tell.
    retryStrategy: (attempt) => (isReachable ? Math.min(attempt * 50, 2_000) : null),
  });
  // Commands fail on their own when the connection is gone; without a listener each loss is printed as well.
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
      const pipeline = redis.pipeline();
      const refusals = commands.map(refusalOf);
      // An unavailable command keeps its place in the answers and never reaches the connection.
      const sent = commands.filter((_, index) => refusals[index] === undefined);
      for (const command of sent) pipeline.callBuffer(command.name, ...command.args);
      const outcomes = ((await pipeline.exec()) ?? []).map(toOutcome).values();
      return refusals.map((refusal) => refusal ?? outcomes.next().value ?? { error: 'ERR no answer' });
    },
    async transact(commands) {
      for (const command of commands) assertAvailable(command);
      const transaction = redis.multi();
      for (const command of commands) transaction.callBuffer(command.name, ...command.args);
      const results = await transaction.exec().catch((error: Error) => {
        throw error.name === 'ReplyError' ? new RedisError(error.message) : error;
      });
      return (results ?? []).map(toOutcome);
    },
    async close() {
      redis.disconnect();
    },
  };
}

function refusalOf(command: RedisCommand): Outcome | undefined {
  try {
    assertAvailable(command);
    return undefined;
  } catch (error) {
    if (error instanceof RedisError) return { error: error.message };
    throw error;
  }
}

function toOutcome([error, result]: [Error | null, unknown]): Outcome {
  if (error === null) return { result: toReply(result) };
  if (error.name === 'ReplyError') return { error: error.message };
  throw error;
}

function toReply(value: unknown): Reply {
  if (value === null || typeof value === 'number' || typeof value === 'string' || Buffer.isBuffer(value)) {
    return value;
  }
  if (Array.isArray(value)) return value.map(toReply);
  // ioredis hands an error inside an array (a script's, for one) over as an object.
  if (value instanceof Error) return value.message;
  throw new TypeError(`Redis answered with an unexpected ${typeof value}`);
}
