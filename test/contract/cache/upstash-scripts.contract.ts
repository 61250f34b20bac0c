import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSender, type ProtocolTarget } from './protocol-client.ts';

const FLAGS = '#!lua flags=allow-key-locking\n';
const COUNTER = `
  local used = redis.call("incrby", KEYS[1], ARGV[1])
  if used == tonumber(ARGV[1]) then redis.call("pexpire", KEYS[1], ARGV[2] * 2 + 1000) end
  return {used, tonumber(ARGV[3])}
`;
const toSha1 = (text: string) => createHash('sha1').update(text).digest('hex');

/** Describes Lua scripts: their arguments, their replies and the SHA1 they are known by. */
export function describeScripts(target: () => ProtocolTarget): void {
  const post = createSender(target);
  const ask = async (...command: unknown[]) => (await post('/', command)).body;
  const result = (value: unknown) => ({ result: value });

  test.each([
    ['nothing', '', null],
    ['nil', 'return nil', null],
    ['false', 'return false', null],
    ['true', 'return true', 1],
    ['a fraction', 'return 3.99', 3],
    ['a negative fraction', 'return -3.99', -3],
    ['a number beyond 32 bits', 'return 1795288770000 + 0.5', 1_795_288_770_000],
    ['text', 'return "a\\"b\\\\c\\n中"', 'a"b\\c\n中'],
    ['an empty text', 'return ""', ''],
    ['an empty table', 'return {}', []],
    ['a list up to its first nil', 'return {1, "a", {2}, nil, 3}', [1, 'a', [2]]],
    ['a list with false', 'return {1, false, 3}', [1, null, 3]],
    ['a status', 'return {ok = "FINE"}', 'FINE'],
    ['a status reply', 'return redis.status_reply("FINE")', 'FINE'],
    ['keys and arguments', 'return {KEYS[1], ARGV[1], ARGV[2], #KEYS, #ARGV}', ['键', '值', '2', 1, 2]],
  ])('converts %s', async (_title, script, expected) => {
    expect(await ask('EVAL', script, 1, '键', '值', 2)).toEqual(result(expected));
  });

  test.each([
    ['an error reply', 'return redis.error_reply("OOPS it broke")', /^OOPS it broke/],
    ['an error raised', 'error("boom")', /user_script:1: boom/],
    ['a syntax error', 'return (', /^ERR Error compiling script/],
    ['an unknown command', 'return redis.call("NOSUCH")', /^ERR Unknown Redis command/],
    ['a failing call', 'return redis.call("INCR")', /^ERR Wrong number of args/],
    ['an argument that is a table', 'return redis.call("GET", {})', /^ERR Lua redis lib command arguments/],
  ])('answers an error for %s', async (_title, script, pattern) => {
    expect(await ask('EVAL', script, 0)).toEqual({ error: expect.stringMatching(pattern) });
  });

  test.each([
    ['no number', 'many', /not an integer/],
    ['more keys than arguments', 2, /greater than number of args/],
    ['a negative number', -1, /can't be negative/],
  ])('refuses %s of keys', async (_title, keyCount, pattern) => {
    const answer = await ask('EVAL', 'return 1', keyCount, 'a');

    expect(answer).toEqual({ error: expect.stringMatching(pattern) });
  });

  test('sees false for a missing key, text for numbers and a table for OK', async () => {
    const key = randomUUID();
    const script = `
      local before = redis.call("get", KEYS[1])
      local stored = redis.call("set", KEYS[1], 5.0, "ex", 100)
      local list = redis.call("mget", KEYS[1], "missing")
      redis.call("set", KEYS[2], "")
      return { type(before), stored.ok, type(redis.call("get", KEYS[1])), #list, type(list[2]),
        redis.call("get", KEYS[1]), redis.call("ttl", KEYS[1]), redis.call("get", KEYS[2]) == "" }
    `;

    const answer = await ask('EVAL', script, 2, key, `${key}:empty`);

    expect(answer).toEqual(result(['boolean', 'OK', 'string', 2, 'boolean', '5', 100, 1]));
  });

  test('refuses a call that does not fit the value', async () => {
    const [text, hash] = [randomUUID(), randomUUID()];
    await ask('SET', text, 'v');
    await ask('HSET', hash, 'f', 'v');

    for (const [command, key, pattern] of [
      ['INCR', text, /^ERR value is not an integer/],
      ['HGETALL', text, /^WRONGTYPE /],
      ['GET', hash, /^WRONGTYPE /],
    ] as const) {
      const answer = await ask('EVAL', 'return redis.call(ARGV[1], KEYS[1])', 1, key, command);
      expect(answer).toEqual({ error: expect.stringMatching(pattern) });
    }
    expect(await ask('GET', text)).toEqual(result('v'));
  });

  test('passes numbers beyond 32 bits to a command', async () => {
    const script = 'redis.call("SET", KEYS[1], 1795288770000) return redis.call("GET", KEYS[1])';

    expect(await ask('EVAL', script, 1, randomUUID())).toEqual(result('1795288770000'));
  });

  test('scans and deletes every key on the way', async () => {
    const prefix = randomUUID();
    const keys = Array.from({ length: 50 }, (_, index) => `${prefix}:${index}`);
    await ask('MSET', ...keys.flatMap((key) => [key, 'v']));
    const script = `
      local cursor, deleted = "0", 0
      repeat
        local page = redis.call("scan", cursor, "count", 5, "match", ARGV[1])
        cursor = page[1]
        for _, key in ipairs(page[2]) do deleted = deleted + redis.call("DEL", key) end
      until cursor == "0"
      return deleted
    `;

    expect(await ask('EVAL', script, 0, `${prefix}:*`)).toEqual(result(50));
    expect(await ask('KEYS', `${prefix}:*`)).toEqual(result([]));
  });

  test('catches a failing call with pcall', async () => {
    const script = 'local reply = redis.pcall("NOSUCH") return type(reply.err)';

    expect(await ask('EVAL', script, 0)).toEqual(result('string'));
  });

  test('runs a script with a line of flags and knows it by the SHA1 of its text', async () => {
    const [script, key] = [`${FLAGS}-- ${randomUUID()}${COUNTER}`, randomUUID()];

    expect(await ask('EVALSHA', toSha1(script), 1, key, 1, 60_000, 10)).toEqual({
      error: 'NOSCRIPT No matching script. Please use EVAL.',
    });
    expect(await ask('EVAL', script, 1, key, 1, 60_000, 10)).toEqual(result([1, 10]));
    expect(await ask('EVALSHA', toSha1(script), 1, key, 1, 60_000, 10)).toEqual(result([2, 10]));
    expect(await ask('EVALSHA', toSha1(script).toUpperCase(), 1, key, 1, 60_000, 10)).toEqual(
      result([3, 10]),
    );
    expect(await ask('TTL', key)).toEqual(result(121));
  });

  test.each([
    ['with flags', FLAGS],
    ['without flags', ''],
  ])('loads a script %s, tells that it is there and flushes it', async (_title, flags) => {
    const script = `${flags}return "${randomUUID()}"`;
    const sha = toSha1(script);

    expect(await ask('script', 'load', script)).toEqual(result(sha));
    expect(await ask('SCRIPT', 'EXISTS', sha, toSha1('other'))).toEqual(result([1, 0]));
    expect(await ask('EVALSHA', sha, 0)).toEqual(result(expect.any(String)));
    expect(await ask('SCRIPT', 'FLUSH')).toEqual(result('OK'));
    expect(await ask('SCRIPT', 'EXISTS', sha)).toEqual(result([0]));
    expect(await ask('EVALSHA', sha, 0)).toEqual({ error: expect.stringMatching(/^NOSCRIPT /) });
  });

  test('tells the line of an error in a script with flags', async () => {
    const answer = await ask('EVAL', `${FLAGS}\nerror("boom")`, 0);

    expect(answer).toEqual({ error: expect.stringContaining('user_script:3: boom') });
  });

  test('runs concurrent scripts one after another', async () => {
    const key = randomUUID();
    const script = 'local n = tonumber(redis.call("GET", KEYS[1]) or 0) redis.call("SET", KEYS[1], n + 1)';

    await Promise.all(Array.from({ length: 50 }, () => ask('EVAL', script, 1, key)));

    expect(await ask('GET', key)).toEqual(result('50'));
  });
}
