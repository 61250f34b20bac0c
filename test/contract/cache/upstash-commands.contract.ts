import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSender, type ProtocolTarget } from './protocol-client.ts';

/** Describes the commands that the service uses, and their near relations, as Redis documents them. */
export function describeCommands(target: () => ProtocolTarget): void {
  const post = createSender(target);
  const ask = async (...command: unknown[]) => (await post('/', command)).body;
  const result = (value: unknown) => ({ result: value });
  const error = (pattern: RegExp) => ({ error: expect.stringMatching(pattern) });

  test.each([
    ['ex', 10],
    ['PX', 10_000],
  ])('sets an expiry with the option word %s', async (word, amount) => {
    const key = randomUUID();

    expect(await ask('set', key, 'v', word, amount, 'nx')).toEqual(result('OK'));

    expect(await ask('TTL', key)).toEqual(result(10));
  });

  test('keeps what is there with NX and asks for it with XX', async () => {
    const key = randomUUID();

    expect(await ask('SET', key, 'a', 'xx')).toEqual(result(null));
    expect(await ask('SET', key, 'b', 'nx')).toEqual(result('OK'));
    expect(await ask('SET', key, 'c', 'nx')).toEqual(result(null));
    expect(await ask('SET', key, 'd', 'nx', 'get')).toEqual(result('b'));
    expect(await ask('SET', key, 'e', 'xx')).toEqual(result('OK'));
    expect(await ask('GET', key)).toEqual(result('e'));
  });

  test('answers the former value with GET, wherever the word stands', async () => {
    const key = randomUUID();

    expect(await ask('SET', key, 'a', 'get', 'ex', 10)).toEqual(result(null));
    expect(await ask('TTL', key)).toEqual(result(10));
    expect(await ask('SET', key, 'b', 'EX', 20, 'GET')).toEqual(result('a'));
    expect(await ask('TTL', key)).toEqual(result(20));
  });

  test('drops the expiry of a key that is set again, but with KEEPTTL', async () => {
    const key = randomUUID();
    await ask('SET', key, 'a', 'EX', 10);

    await ask('SET', key, 'b', 'keepttl');
    expect(await ask('TTL', key)).toEqual(result(10));
    await ask('SET', key, 'c');
    expect(await ask('TTL', key)).toEqual(result(-1));
  });

  test('stores values and keys that look like options as they are', async () => {
    const key = `ex ${randomUUID()}`;

    await ask('SET', key, 'nx');
    expect(await ask('GET', key)).toEqual(result('nx'));
    await ask('ZADD', `z${key}`, 1, 'nx', 2, 'ch');
    expect(await ask('ZRANGE', `z${key}`, 0, -1)).toEqual(result(['nx', 'ch']));
  });

  test.each([
    [['EX', 'soon'], /not an integer/],
    [['EX', 0], /invalid expire/],
    [['EX'], /syntax error/],
    [['NX', 'XX'], /syntax error/],
    [['KEEPTTL', 'EX', 5], /syntax error/],
    [['SOMETIMES'], /syntax error/],
  ])('refuses SET with %j and stores nothing', async (options, pattern) => {
    const key = randomUUID();

    expect(await ask('SET', key, 'v', ...options)).toEqual(error(pattern));

    expect(await ask('EXISTS', key)).toEqual(result(0));
  });

  test('forgets a key once its time is over', async () => {
    const key = randomUUID();
    await ask('SET', key, 'v');

    expect(await ask('PEXPIREAT', key, Date.now() - 1)).toEqual(result(1));

    expect(await ask('GET', key)).toEqual(result(null));
    expect(await ask('TTL', key)).toEqual(result(-2));
    expect(await ask('INCR', key)).toEqual(result(1));
  });

  test('expires under the conditions NX, XX, GT and LT', async () => {
    const key = randomUUID();
    await ask('SET', key, 'v');

    expect(await ask('EXPIRE', key, 10, 'xx')).toEqual(result(0));
    expect(await ask('EXPIRE', key, 10, 'NX')).toEqual(result(1));
    expect(await ask('EXPIRE', key, 20, 'NX')).toEqual(result(0));
    expect(await ask('EXPIRE', key, 5, 'GT')).toEqual(result(0));
    expect(await ask('EXPIRE', key, 30, 'GT')).toEqual(result(1));
    expect(await ask('PEXPIRE', key, 40_000, 'LT')).toEqual(result(0));
    expect(await ask('TTL', key)).toEqual(result(30));
    expect(await ask('PERSIST', key)).toEqual(result(1));
    expect(await ask('PTTL', key)).toEqual(result(-1));
    expect(await ask('EXPIRE', key, 'soon')).toEqual(error(/not an integer/));
    expect(await ask('EXPIRE', randomUUID(), 10)).toEqual(result(0));
  });

  test('counts, and refuses to count what is no integer', async () => {
    const key = randomUUID();

    expect(await ask('INCR', key)).toEqual(result(1));
    expect(await ask('INCRBY', key, 41)).toEqual(result(42));
    expect(await ask('DECRBY', key, 2)).toEqual(result(40));
    expect(await ask('INCRBY', key, 1.5)).toEqual(error(/not an integer/));
    expect(await ask('GET', key)).toEqual(result('40'));
    await ask('SET', key, 'text');
    expect(await ask('INCR', key)).toEqual(error(/not an integer/));
    expect(await ask('GET', key)).toEqual(result('text'));
  });

  test('reads and deletes several keys at once', async () => {
    const [a, b, hash] = [randomUUID(), randomUUID(), randomUUID()];
    await ask('MSET', a, 1, b, '');
    await ask('HSET', hash, 'f', 'v');

    expect(await ask('MGET', a, randomUUID(), b, hash)).toEqual(result(['1', null, '', null]));
    expect(await ask('EXISTS', a, a, b)).toEqual(result(3));
    expect(await ask('DEL', a, b, hash, randomUUID())).toEqual(result(3));
    expect(await ask('MSET', a, 1, b)).toEqual(error(/wrong number of arguments/));
  });

  test('keeps hashes', async () => {
    const key = randomUUID();

    expect(await ask('HSET', key, 'a', 1, 'b', '二')).toEqual(result(2));
    expect(await ask('HSET', key, 'a', 2, 'c', '')).toEqual(result(1));
    expect(await ask('HGETALL', key)).toEqual(result(['a', '2', 'b', '二', 'c', '']));
    expect(await ask('HGETALL', randomUUID())).toEqual(result([]));
    expect(await ask('HMGET', key, 'b', 'x')).toEqual(result(['二', null]));
    expect(await ask('HINCRBY', key, 'a', 3)).toEqual(result(5));
    expect(await ask('HSET', key, 'a')).toEqual(error(/wrong number of arguments/));
    expect(await ask('HDEL', key, 'a', 'b', 'c')).toEqual(result(3));
    expect(await ask('EXISTS', key)).toEqual(result(0));
  });

  test('keeps sorted sets', async () => {
    const key = randomUUID();

    expect(await ask('ZADD', key, 2, 'b', 1.5, 'a')).toEqual(result(2));
    expect(await ask('ZADD', key, 'nx', 9, 'a', 3, 'c')).toEqual(result(1));
    expect(await ask('ZADD', key, 'incr', 1, 'a')).toEqual(result('2.5'));
    expect(await ask('ZRANGE', key, 0, -1, 'WITHSCORES')).toEqual(result(['b', '2', 'a', '2.5', 'c', '3']));
    expect(await ask('ZADD', key, 'much', 'd')).toEqual(error(/not a valid float/));
    expect(await ask('ZREMRANGEBYSCORE', key, 0, 2)).toEqual(result(1));
    expect(await ask('ZCARD', key)).toEqual(result(2));
  });

  test('refuses a command of another type and leaves the value', async () => {
    const [text, hash] = [randomUUID(), randomUUID()];
    await ask('SET', text, 'v');
    await ask('HSET', hash, 'f', 'v');

    expect(await ask('GET', hash)).toEqual(error(/^WRONGTYPE /));
    expect(await ask('INCR', hash)).toEqual(error(/^WRONGTYPE /));
    expect(await ask('HSET', text, 'f', 'v')).toEqual(error(/^WRONGTYPE /));
    expect(await ask('LPUSH', text, 'v')).toEqual(error(/^WRONGTYPE /));
    expect(await ask('SADD', text, 'v')).toEqual(error(/^WRONGTYPE /));
    expect(await ask('ZADD', text, 1, 'v')).toEqual(error(/^WRONGTYPE /));
    expect(await ask('GET', text)).toEqual(result('v'));
    expect(await ask('SET', hash, 'v')).toEqual(result('OK'));
  });

  test('finds every key by scanning, also while keys are deleted', async () => {
    const prefix = randomUUID();
    const keys = Array.from({ length: 100 }, (_, index) => `${prefix}:${index}`);
    await ask('MSET', ...keys.flatMap((key) => [key, 'v']));
    await ask('HSET', `${prefix}:hash`, 'f', 'v');
    const found = new Set<unknown>();
    let cursor: unknown = '0';

    do {
      const answer: unknown = await ask('SCAN', cursor, 'count', 7, 'match', `${prefix}:*`, 'type', 'string');
      expect(answer).toEqual({ result: [expect.stringMatching(/^\d+$/), expect.any(Array)] });
      const page = readPage(answer);
      if (page.keys.length > 0) await ask('DEL', ...page.keys);
      for (const key of page.keys) found.add(key);
      cursor = page.cursor;
    } while (cursor !== '0');

    expect(found).toEqual(new Set(keys));
    expect(await ask('KEYS', `${prefix}:*`)).toEqual(result([`${prefix}:hash`]));
  });

  test('counts bytes and not characters', async () => {
    const key = randomUUID();
    await ask('SET', key, '中a');

    expect(await ask('STRLEN', key)).toEqual(result(4));
  });

  test('refuses to rename a key that is not there', async () => {
    expect(await ask('RENAME', randomUUID(), randomUUID())).toEqual(error(/^ERR no such key/));
  });

  test('counts the keys touched', async () => {
    const key = randomUUID();
    await ask('SET', key, 'v');

    expect(await ask('TOUCH', key, randomUUID())).toEqual(result(1));
  });

  test('takes a key and sets its expiry in one command', async () => {
    const key = randomUUID();
    await ask('SETEX', key, 5, 'v');

    expect(await ask('GETEX', key, 'ex', 50)).toEqual(result('v'));
    expect(await ask('TTL', key)).toEqual(result(50));
    expect(await ask('GETEX', key, 'persist')).toEqual(result('v'));
    expect(await ask('TTL', key)).toEqual(result(-1));
    expect(await ask('SETEX', key, 0, 'v')).toEqual(error(/invalid expire/));
    expect(await ask('GETDEL', key)).toEqual(result('v'));
    expect(await ask('GET', key)).toEqual(result(null));
  });
}

function readPage(answer: unknown): { cursor: unknown; keys: unknown[] } {
  const isAnswer = typeof answer === 'object' && answer !== null && 'result' in answer;
  const [cursor, keys] = isAnswer && Array.isArray(answer.result) ? answer.result : [];
  return { cursor, keys: Array.isArray(keys) ? keys : [] };
}
