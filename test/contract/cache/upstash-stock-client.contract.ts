import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Redis } from '@upstash/redis';
import type { ProtocolTarget } from './protocol-client.ts';

/** Describes the endpoint as the stock `@upstash/redis` client sees it. */
export function describeStockClient(target: () => ProtocolTarget): void {
  const connect = (options: { enableAutoPipelining?: boolean; automaticDeserialization?: boolean } = {}) =>
    new Redis({ url: target().url, token: target().token, enableTelemetry: false, retry: false, ...options });

  test('gets what it set, whatever it looks like', async () => {
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

  test('sets with options', async () => {
    const redis = connect();
    const key = randomUUID();

    expect(await redis.set(key, 'a', { ex: 10, nx: true })).toBe('OK');
    expect(await redis.ttl(key)).toBe(10);
    expect(await redis.set(key, 'b', { nx: true })).toBeNull();
    expect(await redis.set(key, 'c', { px: 20_000, get: true })).toBe('a');
    expect(await redis.ttl(key)).toBe(20);
    expect(await redis.set(key, 'd', { keepTtl: true, xx: true })).toBe('OK');
    expect(await redis.expire(key, 30)).toBe(1);
    expect(await redis.ttl(key)).toBe(30);
  });

  test('counts, reads several keys and deletes them', async () => {
    const redis = connect();
    const [a, b] = [randomUUID(), randomUUID()];

    expect(await redis.incr(a)).toBe(1);
    expect(await redis.incrby(a, 4)).toBe(5);
    await redis.mset({ [b]: '文' });
    expect(await redis.mget(a, randomUUID(), b)).toEqual([5, null, '文']);
    expect(await redis.del(a, b)).toBe(2);
  });

  test('runs scripts', async () => {
    const redis = connect();
    const script = `return {KEYS[1], ARGV[1], 3, "${randomUUID()}"}`;
    const sha = createHash('sha1').update(script).digest('hex');

    expect(await redis.scriptLoad(script)).toBe(sha);
    expect(await redis.evalsha(sha, ['键'], ['值'])).toEqual(['键', '值', 3, expect.any(String)]);
    expect(await redis.eval('return {ARGV[1], {ARGV[2]}}', [], ['a', 'b'])).toEqual(['a', ['b']]);
    await expect(redis.evalsha('0'.repeat(40), [], [])).rejects.toThrow(/NOSCRIPT/);
  });

  test('runs pipelines and transactions', async () => {
    const redis = connect();
    const key = randomUUID();

    expect(await redis.pipeline().set(key, 'v').get(key).exists(key).exec()).toEqual(['OK', 'v', 1]);
    expect(await redis.multi().set(key, 1).incr(key).get(key).exec()).toEqual(['OK', 2, 2]);
    const kept = await redis.pipeline().set(key, 'v').incr(key).get(key).exec({ keepErrors: true });
    expect(kept.map((entry) => entry.error !== undefined)).toEqual([false, true, false]);
  });

  test('pipelines by itself what is asked in one tick', async () => {
    const redis = connect({ enableAutoPipelining: true });
    const keys = Array.from({ length: 20 }, () => randomUUID());

    await Promise.all(keys.map((key, index) => redis.set(key, index)));
    const values = await Promise.all(keys.map((key) => redis.get(key)));

    expect(values).toEqual(keys.map((_, index) => index));
  });

  test('scans, and reads hashes and sorted sets', async () => {
    const redis = connect();
    const key = randomUUID();
    await redis.set(`${key}:a`, 1);
    await redis.hset(`${key}:h`, { name: '名', count: 2 });
    await redis.zadd(`${key}:z`, { nx: true }, { score: 2, member: 'b' }, { score: 1, member: 'a' });

    let cursor = '0';
    const found: string[] = [];
    do {
      const [next, keys] = await redis.scan(cursor, { match: `${key}:*`, count: 100 });
      cursor = next;
      found.push(...keys);
    } while (cursor !== '0');

    expect(found.sort()).toEqual([`${key}:a`, `${key}:h`, `${key}:z`]);
    expect(await redis.hgetall(`${key}:h`)).toEqual({ name: '名', count: 2 });
    expect(await redis.zrange(`${key}:z`, 0, -1, { withScores: true })).toEqual(['a', 1, 'b', 2]);
  });

  test('sees an error with its code word', async () => {
    const redis = connect();
    const key = randomUUID();
    await redis.hset(key, { a: 1 });

    await expect(redis.get(key)).rejects.toThrow(/WRONGTYPE/);
  });

  test('empties the database', async () => {
    const redis = connect();
    await redis.set(randomUUID(), 1);

    expect(await redis.flushdb()).toBe('OK');

    expect(await redis.dbsize()).toBe(0);
  });
}
