import { createHash, randomUUID } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import { CacheCommandError, type RedisResult } from '#shared/cache/protocol.ts';
import { redis } from '#shared/cache/redis.ts';
import type { Count, Counter } from './counters.ts';

// Each counter is a sorted set of the requests in its window, by time in milliseconds: no window of the
// given length ever holds more than the limit, and a set holds no more members than that.
const script = `
local counts = {}
local isFull = false
for i, key in ipairs(KEYS) do
  local limit, cutoff = tonumber(ARGV[3 * i]), ARGV[3 * i + 1]
  redis.call('ZREMRANGEBYSCORE', key, '-inf', cutoff)
  local used = redis.call('ZCARD', key)
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  counts[i] = { used, oldest[2] or ARGV[1] }
  if used >= limit then isFull = true end
end
if not isFull then
  for i, key in ipairs(KEYS) do
    redis.call('ZADD', key, ARGV[1], ARGV[2])
    redis.call('PEXPIRE', key, ARGV[3 * i + 2])
  end
end
return counts
`;
const sha = createHash('sha1').update(script).digest('hex');

/**
 * Counts in the cache for a throttle of which one rule applies. It needs no script: the window begins with its first
 * request, and what is counted above the limit changes nothing.
 *
 * @throws CacheUnavailableError when the cache is away
 */
export async function countAlone({ id, windowSeconds }: Counter): Promise<Count> {
  const key = `service:throttle:${id}`;
  const [used, , leftMs] = await settleAll([
    redis().incr(key),
    // After the count: a key that was made anew between two commands must not live for ever.
    redis().expire(key, windowSeconds, 'NX'),
    redis().pttl(key),
  ]);
  return { used: Number(used) - 1, resetSeconds: Math.max(1, Math.ceil(Number(leftMs) / 1000)) };
}

/**
 * Counts in the cache for a throttle of several rules, in one step.
 *
 * @throws CacheUnavailableError when the cache is away
 */
export async function countTogether(counters: Counter[]): Promise<Count[]> {
  const now = Date.now();
  const keys = counters.map(({ id }) => `service:throttle:${id}`);
  const tail = toArguments(counters, now);
  const cells = await redis()
    .evalsha<unknown[], RedisResult[]>(sha, keys, tail)
    .catch((error: unknown) => {
      if (!(error instanceof CacheCommandError) || !error.message.includes('NOSCRIPT')) throw error;
      return redis().eval<unknown[], RedisResult[]>(script, keys, tail);
    });
  return counters.map(({ windowSeconds }, index) => toCount(cells[index], now, windowSeconds));
}

function toArguments(counters: Counter[], now: number): (string | number)[] {
  const settings = counters.flatMap(({ limit, windowSeconds }) => {
    const windowMs = windowSeconds * 1000;
    return [limit, now - windowMs, windowMs];
  });
  return [now, randomUUID(), ...settings];
}

function toCount(cell: RedisResult | undefined, now: number, windowSeconds: number): Count {
  const [used, oldest] = Array.isArray(cell) ? cell.map(Number) : [];
  const freeAt = (oldest ?? now) + windowSeconds * 1000;
  return { used: used ?? 0, resetSeconds: Math.max(1, Math.ceil((freeAt - now) / 1000)) };
}
