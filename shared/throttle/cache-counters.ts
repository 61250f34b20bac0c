import { createHash, randomUUID } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import { CacheCommandError, type RedisResult } from '#shared/cache/protocol.ts';
import { redis } from '#shared/cache/redis.ts';
import type { Count, Counter, Tally } from './process-counters.ts';

// Each counter is a sorted set of the requests in its window, by time in milliseconds. No window of this length, and no
// set, ever holds more requests than the limit. The time is the cache's, because the clocks of instances differ: one
// that is ahead would empty the windows of all others.
const script = `
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local counts = {}
local isRefused = false
for i, key in ipairs(KEYS) do
  local limit, window, refuses = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), ARGV[3 * i + 1] == '1'
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  local used = redis.call('ZCARD', key)
  local oldest = tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) or now
  counts[i] = { used, oldest + window - now }
  if used >= limit and refuses then isRefused = true end
end
if not isRefused then
  for i, key in ipairs(KEYS) do
    if counts[i][1] < tonumber(ARGV[3 * i - 1]) then
      redis.call('ZADD', key, now, ARGV[1])
      redis.call('PEXPIRE', key, ARGV[3 * i])
    end
  end
end
return counts
`;
let digest: string | undefined;
// On first use: many functions have only throttles of one rule, and hashing would slow their cold start.
const scriptSha = (): string => (digest ??= createHash('sha1').update(script).digest('hex'));

const toKey = ({ id }: Pick<Counter, 'id'>): string => `service:throttle:${id}`;

/** The end of a window by this process's monotonic clock, and the highest count that this process saw. */
const windows = new Map<string, { endsAtMs: number; count: number }>();
/** Most remembered windows. A forgotten one costs two more commands. */
const windowLimit = 2_000;

/**
 * Counts in the cache for a throttle of one rule, without a script: the window begins with its first request. A process
 * sends three commands for its first request in a window, then one each.
 *
 * @throws CacheUnavailableError if the cache is away
 */
export async function countAlone({ windowSeconds, ...counter }: Counter): Promise<Tally> {
  const key = toKey(counter);
  const seen = windows.get(key);
  const isOpen = seen !== undefined && seen.endsAtMs > performance.now();
  const [count, readEnd] = await settleAll([
    redis().incr(key),
    isOpen ? undefined : ensureEnd(key, windowSeconds),
  ]);
  // If the count did not rise, a new window has begun, and it has no end yet.
  const endsAtMs =
    readEnd ?? (isOpen && count > seen.count ? seen.endsAtMs : await ensureEnd(key, windowSeconds));
  if (windows.size >= windowLimit) windows.clear();
  windows.set(key, { endsAtMs, count });
  return {
    counts: [{ used: count - 1, resetSeconds: toSeconds(endsAtMs - performance.now()) }],
    release: async () => {
      throw new Error('a throttle of one rule releases nothing');
    },
  };
}

/** Sets the end of a window if it has none. @returns the end by this process's monotonic clock */
async function ensureEnd(key: string, windowSeconds: number): Promise<number> {
  // Sent after INCR: otherwise a key that INCR creates again would never expire.
  const askedAtMs = performance.now();
  const [, leftMs] = await settleAll([redis().expire(key, windowSeconds, 'NX'), redis().pttl(key)]);
  // Never later than the true end: a request after that end would need a second round trip.
  return askedAtMs + leftMs;
}

/** Counts in the cache for a throttle of several rules, in one step. @throws CacheUnavailableError */
export async function countTogether(counters: readonly Counter[]): Promise<Tally> {
  const keys = counters.map(toKey);
  const member = randomUUID();
  const settings = counters.flatMap(({ limit, windowSeconds, failures }) => [
    limit,
    windowSeconds * 1000,
    failures ? 0 : 1,
  ]);
  const tail = [member, ...settings];
  const cells = await redis()
    .evalsha<unknown[], RedisResult[]>(scriptSha(), keys, tail)
    .catch((error: unknown) => {
      if (!(error instanceof CacheCommandError) || !error.message.includes('NOSCRIPT')) throw error;
      return redis().eval<unknown[], RedisResult[]>(script, keys, tail);
    });
  return {
    counts: counters.map(({ windowSeconds }, index) => toCount(cells[index], windowSeconds)),
    release: async (released) => {
      await settleAll(released.map((counter) => redis().zrem(toKey(counter), member)));
    },
  };
}

function toCount(cell: RedisResult | undefined, windowSeconds: number): Count {
  const [used = 0, leftMs = 0] = Array.isArray(cell) ? cell.map(Number) : [];
  // More is left if the cache's clock was set back since the first request.
  return { used, resetSeconds: Math.min(windowSeconds, toSeconds(leftMs)) };
}

// Whole milliseconds first: a sum of fractions may be a hair above a full second.
const toSeconds = (leftMs: number): number => Math.max(1, Math.ceil(Math.round(leftMs) / 1000));
