import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSender, type ProtocolTarget } from './protocol-client.ts';

/** Describes the commands that the service sends, as Redis documents them. */
export function describeCommands(target: () => ProtocolTarget): void {
  const post = createSender(target);
  const ask = async (...command: unknown[]) => (await post('/', command)).body;
  const result = (value: unknown) => ({ result: value });
  const error = (pattern: RegExp) => ({ error: expect.stringMatching(pattern) });
  const about = (milliseconds: number) => ({ result: expect.closeTo(milliseconds, -4) });

  test.each([
    ['ex', 10],
    ['PX', 10_000],
  ])('sets an expiry with the option word %s', async (word, amount) => {
    const key = randomUUID();

    expect(await ask('set', key, 'v', word, amount, 'nx')).toEqual(result('OK'));

    expect(await ask('PTTL', key)).toEqual(about(10_000));
  });

  test('keeps an existing value with NX', async () => {
    const key = randomUUID();

    expect(await ask('SET', key, 'b', 'nx')).toEqual(result('OK'));
    expect(await ask('SET', key, 'c', 'nx', 'ex', 10)).toEqual(result(null));
    expect(await ask('GET', key)).toEqual(result('b'));
    expect(await ask('PTTL', key)).toEqual(result(-1));
  });

  test('drops the expiry of a key that is set again', async () => {
    const key = randomUUID();
    await ask('SET', key, 'a', 'EX', 10);

    await ask('SET', key, 'nx');

    expect(await ask('GET', key)).toEqual(result('nx'));
    expect(await ask('PTTL', key)).toEqual(result(-1));
  });

  test('drops an expired key', async () => {
    const key = randomUUID();
    await ask('SET', key, '5', 'PX', 1);

    await new Promise((resolve) => setTimeout(resolve, 10));

    expect(await ask('GET', key)).toEqual(result(null));
    expect(await ask('PTTL', key)).toEqual(result(-2));
    expect(await ask('INCR', key)).toEqual(result(1));
  });

  test('sets an expiry, with NX only the first time', async () => {
    const key = randomUUID();
    expect(await ask('EXPIRE', key, 10, 'NX')).toEqual(result(0));
    await ask('INCR', key);

    expect(await ask('EXPIRE', key, 10, 'NX')).toEqual(result(1));
    expect(await ask('EXPIRE', key, 100, 'NX')).toEqual(result(0));
    expect(await ask('PTTL', key)).toEqual(about(10_000));
    expect(await ask('EXPIRE', key, 100)).toEqual(result(1));
    expect(await ask('PTTL', key)).toEqual(about(100_000));
  });

  test('reads and deletes several keys at once', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    await ask('SET', a, 1);
    await ask('SET', b, '');

    expect(await ask('MGET', a, randomUUID(), b)).toEqual(result(['1', null, '']));
    expect(await ask('DEL', a, b, randomUUID())).toEqual(result(2));
  });

  test('finds every key by scanning, also while keys are deleted', async () => {
    const prefix = randomUUID();
    const keys = Array.from({ length: 100 }, (_, index) => `${prefix}:${index}`);
    await post(
      '/pipeline',
      keys.map((key) => ['SET', key, 'v']),
    );
    const found = new Set<unknown>();
    let cursor: unknown = '0';

    do {
      const answer: unknown = await ask('SCAN', cursor, 'match', `${prefix}:*`, 'count', 7);
      expect(answer).toEqual({ result: [expect.stringMatching(/^\d+$/), expect.any(Array)] });
      const page = readPage(answer);
      if (page.keys.length > 0) await ask('DEL', ...page.keys);
      for (const key of page.keys) found.add(key);
      cursor = page.cursor;
    } while (cursor !== '0');

    expect(found).toEqual(new Set(keys));
    expect(await ask('MGET', ...keys)).toEqual(result(keys.map(() => null)));
  });

  test.each([
    ['nothing', '', null],
    ['a large number', 'return 1795288770000', 1_795_288_770_000],
    ['text', 'return "a\\"b\\\\c\\n中"', 'a"b\\c\n中'],
    ['an empty table', 'return {}', []],
    ['a list up to its first nil', 'return {1, "a", {2}, nil, 3}', [1, 'a', [2]]],
    ['keys and arguments', 'return {KEYS[1], ARGV[1], ARGV[2], #KEYS, #ARGV}', ['键', '值', '2', 1, 2]],
  ])('answers with %s of a script', async (_title, script, expected) => {
    expect(await ask('EVAL', script, 1, '键', '值', 2)).toEqual(result(expected));
  });

  test('answers an error that a script raises', async () => {
    expect(await ask('EVAL', 'error("boom")', 0)).toEqual(error(/^ERR .*boom/));
  });

  test('knows a script by the SHA1 of its text once it has run', async () => {
    const script = `return {ARGV[1], "${randomUUID()}"}`;
    const sha = createHash('sha1').update(script).digest('hex');

    expect(await ask('EVALSHA', sha, 0, 'a')).toEqual(error(/^NOSCRIPT /));
    await ask('EVAL', script, 0, 'a');
    expect(await ask('EVALSHA', sha, 0, 'b')).toEqual(result(['b', expect.any(String)]));
  });

  test('keeps sorted sets for scripts, and removes members', async () => {
    const key = randomUUID();
    const script = `
      redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ARGV[1] - 2)
      redis.call("ZADD", KEYS[1], ARGV[1], "m" .. ARGV[1])
      redis.call("PEXPIRE", KEYS[1], 60000)
      local oldest = tonumber(redis.call("ZRANGE", KEYS[1], 0, 0, "WITHSCORES")[2])
      return { redis.call("ZCARD", KEYS[1]), oldest }
    `;

    expect(await ask('EVAL', script, 1, key, 5)).toEqual(result([1, 5]));
    expect(await ask('EVAL', script, 1, key, 6)).toEqual(result([2, 5]));
    expect(await ask('EVAL', script, 1, key, 7)).toEqual(result([2, 6]));
    expect(await ask('ZREM', key, 'm6', 'm0')).toEqual(result(1));
    expect(await ask('PTTL', key)).toEqual(about(60_000));
  });

  test('runs concurrent scripts one after another', async () => {
    const key = randomUUID();
    const script = `
      local count = redis.call("ZCARD", KEYS[1])
      redis.call("ZADD", KEYS[1], count, "m" .. count)
      return count
    `;

    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('EVAL', script, 1, key)));

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(50);
  });
}

function readPage(answer: unknown): { cursor: unknown; keys: unknown[] } {
  const isAnswer = typeof answer === 'object' && answer !== null && 'result' in answer;
  const [cursor, keys] = isAnswer && Array.isArray(answer.result) ? answer.result : [];
  return { cursor, keys: Array.isArray(keys) ? keys : [] };
}
