import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createNameCache } from '#console/fields/names/name-cache.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** A cache whose reads are noted. A key that is named `broken` cannot be read. */
function createCache(maxKeys = 50) {
  const reads: string[][] = [];
  const cache = createNameCache(async (keys) => {
    reads.push([...keys]);
    if (keys.includes('broken')) throw new Error('no answer');
    return keys.map((key) => [key, `name of ${key}`] as const);
  }, maxKeys);
  return { cache, reads };
}

test('reads the keys that are asked for at once together, and each once', async () => {
  const { cache, reads } = createCache();

  expect([cache.get('a'), cache.get('b'), cache.get('a')]).toEqual([undefined, undefined, undefined]);
  await cache.load(['b', 'c']);

  expect([cache.get('a'), cache.get('c')]).toEqual(['name of a', 'name of c']);
  expect(reads).toEqual([['a', 'b', 'c']]);
});

test('reads no more keys at once than a read takes', async () => {
  const { cache, reads } = createCache(2);

  await cache.load(['a', 'b', 'c']);

  expect(reads).toEqual([['a', 'b'], ['c']]);
});

test('reads again after a minute, or when it has forgotten, and shows the former names meanwhile', async () => {
  const { cache, reads } = createCache();
  await cache.load(['a']);
  jest.advanceTimersByTime(59_000);
  cache.get('a');
  jest.advanceTimersByTime(2_000);
  expect(cache.get('a')).toBe('name of a');
  await cache.load(['a']);
  cache.forget();

  await cache.load(['a']);

  expect(reads).toEqual([['a'], ['a'], ['a']]);
});

test('refuses a load that cannot be read, and asks again the next time', async () => {
  const { cache, reads } = createCache();
  cache.get('broken');

  await expect(cache.load(['broken'])).rejects.toThrow('no answer');
  await expect(cache.load(['broken'])).rejects.toThrow('no answer');

  expect(reads).toEqual([['broken'], ['broken']]);
});
