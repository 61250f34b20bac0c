import '../../../support/environment.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import throttles from '#shared/throttle/throttles.ts';
import { type RunningDouble, serve } from '../../../doubles/serve.ts';

let cache: RunningDouble;
let reply: (command: string[]) => unknown;

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => {});
  cache = await serve(({ body }) => ({ body: JSON.parse(body).map(reply) }));
  process.env.UPSTASH_REDIS_REST_URL = cache.url;
  process.env.LOG_LEVEL = 'error';
});

afterAll(() => cache.stop());

test('the process counts alone if the cache refuses', async () => {
  const { checkThrottle } = await import('#shared/throttle/throttle.ts');
  reply = () => ({ error: 'ERR max requests limit exceeded' });

  const state = await checkThrottle('public', throttles.public, { address: '192.0.2.1' });

  expect(state).toMatchObject({ isAllowed: true, limit: 1200, remaining: 1199 });
});

test('a counter without an end gets one after it was counted', async () => {
  const { countAlone } = await import('#shared/throttle/cache-counters.ts');
  const seen: string[][] = [];
  reply = (command) => {
    seen.push(command);
    return { result: command[0] === 'pttl' ? 1500 : 4 };
  };

  const { counts } = await countAlone({ id: 'a', limit: 5, windowSeconds: 60 });

  expect(seen.map(([name]) => name)).toEqual(['incr', 'expire', 'pttl']);
  expect(seen[1]?.slice(2)).toEqual([60, 'NX']);
  expect(counts).toEqual([{ used: 3, resetSeconds: 2 }]);
});

/** A cache that counts; a key expires only after EXPIRE. */
function createCache() {
  const counts = new Map<string, number>();
  const ends = new Set<string>();
  const commands: string[] = [];
  return {
    commands,
    ends,
    drop: () => {
      counts.clear();
      ends.clear();
    },
    reply: ([name = '', key = '']: string[]) => {
      commands.push(name);
      if (name === 'expire') ends.add(key);
      if (name === 'pttl') return { result: ends.has(key) ? 60_000 : -1 };
      if (name === 'incr') counts.set(key, (counts.get(key) ?? 0) + 1);
      return { result: counts.get(key) ?? 0 };
    },
  };
}

test('a known window costs one command', async () => {
  const { countAlone } = await import('#shared/throttle/cache-counters.ts');
  const cache = createCache();
  reply = cache.reply;
  const counter = { id: 'seen', limit: 5, windowSeconds: 60 };
  await countAlone(counter);

  const { counts } = await countAlone(counter);

  expect(cache.commands).toEqual(['incr', 'expire', 'pttl', 'incr']);
  expect(counts).toEqual([{ used: 1, resetSeconds: 60 }]);
});

test('every window has an end, also if the cache lost the one before', async () => {
  const { countAlone } = await import('#shared/throttle/cache-counters.ts');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('count', 'lose'), { maxLength: 20 }), async (steps) => {
      const cache = createCache();
      reply = cache.reply;
      const counter = { id: randomUUID(), limit: 5, windowSeconds: 60 };
      for (const step of steps) {
        if (step === 'lose') cache.drop();
        else {
          await countAlone(counter);
          expect(cache.ends.size).toBe(1);
        }
      }
    }),
    { numRuns: 30 },
  );
});
