import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CacheCommandError, CacheUnavailableError, type Reply } from '#shared/cache/protocol.ts';
import { RedisClient } from '#shared/cache/redis.ts';
import { FakeRedis } from './fake-redis.ts';

let fake: FakeRedis;
let client: RedisClient;
let warned: ReturnType<typeof jest.spyOn>;
beforeEach(() => {
  fake = new FakeRedis();
  client = new RedisClient(fake.transport);
  warned = jest.spyOn(console, 'warn').mockImplementation(() => {});
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
  warned.mockRestore();
});
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('send', () => {
  test('answers each command', async () => {
    fake.values.set('a', '1');

    const results = await Promise.all([
      client.get('a'),
      client.get('b'),
      client.mget('b', 'a'),
      client.set('c', 3, { ex: 9 }),
      client.del('a'),
    ]);

    expect(results).toEqual(['1', null, [null, '1'], 'OK', 1]);
  });

  test('sends all commands of one tick in one request, in order', async () => {
    await Promise.all([client.set('a', 1), client.get('a'), client.del('a')]);

    expect(fake.requests).toEqual([
      [
        ['SET', 'a', 1],
        ['GET', 'a'],
        ['DEL', 'a'],
      ],
    ]);
  });

  test('sends commands of several microtasks in one request', async () => {
    const later = async (microtasks: number, key: string) => {
      for (let count = 0; count < microtasks; count += 1) await undefined;
      return client.get(key);
    };

    await Promise.all([later(0, 'a'), later(1, 'b'), later(7, 'c'), later(40, 'd')]);

    expect(fake.requests).toHaveLength(1);
    expect(fake.commands).toEqual(['GET a', 'GET b', 'GET c', 'GET d']);
  });

  test('joins all reads of a request, after the writes before the last read', async () => {
    fake.values.set('a', '1').set('b', '2');

    const results = await Promise.all([
      client.mget('a', 'none'),
      client.set('c', '3'),
      client.mget('c', 'b', 'a'),
      client.get('b'),
    ]);

    expect(results).toEqual([['1', null], 'OK', ['3', '2', '1'], '2']);
    expect(fake.requests).toEqual([
      [
        ['SET', 'c', '3'],
        ['MGET', 'a', 'none', 'c', 'b', 'a'],
        ['GET', 'b'],
      ],
    ]);
  });

  test('fails every joined read', async () => {
    const refusing = new RedisClient(async (commands) => commands.map(() => ({ error: 'ERR' })));

    const settled = await Promise.allSettled([refusing.mget('a'), refusing.mget('b')]);

    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('sends a command of a later turn by itself', async () => {
    const first = client.get('a');
    await nextTurn();
    const second = client.get('b');

    await Promise.all([first, second]);

    expect(fake.requests).toEqual([[['GET', 'a']], [['GET', 'b']]]);
  });

  test('fails only the refused command', async () => {
    fake.values.set('a', '1');

    const [refused, good] = await Promise.allSettled([client.exec(['BOGUS']), client.get('a')]);

    expect(refused).toEqual({ status: 'rejected', reason: expect.any(CacheCommandError) });
    expect(good).toEqual({ status: 'fulfilled', value: '1' });
  });

  test('fails every command of a lost request', async () => {
    fake.failure = new CacheUnavailableError('away');

    const settled = await Promise.allSettled([client.get('a'), client.get('b')]);

    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('works after a failure', async () => {
    fake.failure = new CacheUnavailableError('away');
    await client.get('a').catch(() => {});
    fake.failure = undefined;

    expect(await client.get('a')).toBeNull();
  });

  test('fails a command without an answer', async () => {
    const short = new RedisClient(async (): Promise<Reply[]> => [{ result: 'first' }]);

    const [first, second] = await Promise.allSettled([short.get('a'), short.get('b')]);

    expect(first).toMatchObject({ value: 'first' });
    expect(second).toEqual({ status: 'rejected', reason: expect.any(CacheUnavailableError) });
  });

  test('reads an answer without a result as null', async () => {
    const silent = new RedisClient(async (): Promise<Reply[]> => [{}]);

    expect(await silent.get('a')).toBeNull();
  });
});

describe('defer', () => {
  test('sends a large command alone, so that its failure fails no other', async () => {
    const large = 'x'.repeat(40_000);
    client.defer('large', 60, () => client.set('l', large));
    client.defer('small', 60, () => client.set('s', 1));

    await client.get('s');

    expect(fake.requests).toEqual([
      [
        ['SET', 's', 1],
        ['GET', 's'],
      ],
      [['SET', 'l', large]],
    ]);
  });

  test('limits the size of the commands of one request', async () => {
    for (let n = 0; n < 8; n += 1)
      client.defer(`slot${n}`, 60, () => client.set(`k${n}`, 'x'.repeat(30_000)));

    await client.get('k0');

    expect(fake.requests[0]).toHaveLength(5);
    expect(fake.requests.slice(1).map((request) => request.length)).toEqual([1, 1, 1, 1]);
  });

  test('sends nothing by itself', async () => {
    client.defer('slot', 60, () => client.set('a', 1));

    await nextTurn();
    await jest.advanceTimersByTimeAsync(120_000);

    expect(fake.requests).toEqual([]);
  });

  test('sends the command in front of the next request, once', async () => {
    client.defer('slot', 60, () => client.set('a', 1));

    const found = await Promise.all([client.get('a'), client.get('b')]);
    await client.get('c');

    expect(found).toEqual(['1', null]);
    expect(fake.requests).toEqual([
      [
        ['SET', 'a', 1],
        ['GET', 'a'],
        ['GET', 'b'],
      ],
      [['GET', 'c']],
    ]);
  });

  test('passes the age in whole seconds, rounded up', async () => {
    client.defer('slot', 60, (ageSeconds) => client.set('a', ageSeconds));

    jest.advanceTimersByTime(2_001);
    await client.get('a');

    expect(fake.commands[0]).toBe('SET a 3');
  });

  test.each([
    [59_000, ['SET a 1', 'GET a']],
    [59_001, ['GET a']],
    [3_600_000, ['GET a']],
  ])('drops what is too old: after %i ms of 60 s', async (elapsedMs, commands) => {
    client.defer('slot', 60, () => client.set('a', 1));

    jest.advanceTimersByTime(elapsedMs);
    await client.get('a');

    expect(fake.commands).toEqual(commands);
  });

  test('replaces an older command of the same slot', async () => {
    client.defer('slot', 60, () => client.set('a', 1));
    client.defer('other', 60, () => client.set('b', 2));
    client.defer('slot', 60, () => client.set('a', 3));

    await client.get('a');

    expect(fake.commands).toEqual(['SET b 2', 'SET a 3', 'GET a']);
  });

  test('keeps at most 64 and drops the oldest', async () => {
    for (let index = 0; index < 70; index += 1)
      client.defer(`slot${index}`, 60, () => client.set('k', index));

    await client.ping().catch(() => {});

    expect(fake.commands).toHaveLength(65);
    expect(fake.commands[0]).toBe('SET k 6');
    expect(fake.commands[63]).toBe('SET k 69');
  });

  test('does not fail its request if it is refused', async () => {
    client.defer('slot', 60, () => client.exec(['BOGUS']));

    expect(await client.get('a')).toBeNull();
  });

  test('is lost with its request and not sent again', async () => {
    client.defer('slot', 60, () => client.set('a', 1));
    fake.failure = new CacheUnavailableError('away');
    await client.get('a').catch(() => {});
    fake.failure = undefined;

    await client.get('a');

    expect(fake.requests[1]).toEqual([['GET', 'a']]);
  });
});
