import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Redis } from '@upstash/redis';
import type { ProtocolTarget } from './protocol-client.ts';

/** Describes the endpoint as the stock `@upstash/redis` client sees it. */
export function describeStockClient(target: () => ProtocolTarget): void {
  const connect = (options: { enableAutoPipelining?: boolean; automaticDeserialization?: boolean } = {}) =>
    new Redis({ url: target().url, token: target().token, enableTelemetry: false, retry: false, ...options });

  test('gets any value that it set', async () => {
    const redis = connect();
    const raw = connect({ automaticDeserialization: false });
    const key = randomUUID();

    for (const value of ['plain', '中文 😀', '', 'OK', 12, true, { a: [1, '二', null] }]) {
      await redis.set(key, value);
      expect(await redis.get(key)).toEqual(value);
    }
    for (const text of ['007', '1e3', '12345678901234567890', '1.0', 'null', '"quoted"']) {
      await raw.set(key, text);
      expect(await raw.get(key)).toBe(text);
    }
  });

  test('sets with options, counts, reads several keys and deletes them', async () => {
    const redis = connect();
    const [a, b] = [randomUUID(), randomUUID()];

    expect(await redis.set(b, '文', { ex: 10, nx: true })).toBe('OK');
    expect(await redis.set(b, 'b', { nx: true })).toBeNull();
    expect(await redis.incr(a)).toBe(1);
    expect(await redis.mget(a, randomUUID(), b)).toEqual([1, null, '文']);
    expect(await redis.del(a, b)).toBe(2);
  });

  test('runs scripts', async () => {
    const redis = connect();

    expect(await redis.eval('return {KEYS[1], {ARGV[1]}, 3}', ['键'], ['值'])).toEqual(['键', ['值'], 3]);
    await expect(redis.evalsha('0'.repeat(40), [], [])).rejects.toThrow(/NOSCRIPT/);
  });

  test('runs pipelines, also of commands in one tick', async () => {
    const redis = connect({ enableAutoPipelining: true });
    const keys = Array.from({ length: 20 }, () => randomUUID());

    await Promise.all(keys.map((key, index) => redis.set(key, index)));
    expect(await Promise.all(keys.map((key) => redis.get(key)))).toEqual(keys.map((_, index) => index));
    const [key = ''] = keys;
    expect(await redis.pipeline().set(key, 5).incr(key).pttl(key).exec()).toEqual(['OK', 6, -1]);
  });
}
