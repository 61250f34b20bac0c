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

describe('deferSet', () => {
  test('sends a large command alone, so that its failure fails no other', async () => {
    const large = 'x'.repeat(40_000);
    client.deferSet('l', large, 60);
    client.deferSet('s', '1', 60);

    await client.get('s');

    expect(fake.requests).toEqual([
      [
        ['SET', 's', '1', 'EX', 60],
        ['GET', 's'],
      ],
      [['SET', 'l', large, 'EX', 60]],
    ]);
  });

  test('limits the size of the commands of one request', async () => {
    for (let n = 0; n < 8; n += 1) client.deferSet(`k${n}`, 'x'.repeat(30_000), 60);

    await client.get('k0');

    expect(fake.requests[0]).toHaveLength(5);
    expect(fake.requests.slice(1).map((request) => request.length)).toEqual([1, 1, 1, 1]);
  });

  test('sends nothing by itself', async () => {
    client.deferSet('a', '1', 60);

    await nextTurn();
    await jest.advanceTimersByTimeAsync(120_000);

    expect(fake.requests).toEqual([]);
  });

  test('sends the command in front of the next request, once', async () => {
    client.deferSet('a', '1', 60);

    const found = await Promise.all([client.get('a'), client.get('b')]);
    await client.get('c');

    expect(found).toEqual(['1', null]);
    expect(fake.requests).toEqual([
      [
        ['SET', 'a', '1', 'EX', 60],
        ['GET', 'a'],
        ['GET', 'b'],
      ],
      [['GET', 'c']],
    ]);
  });

  test('shortens the lifetime by the age in whole seconds, rounded up', async () => {
    client.deferSet('a', '1', 60);

    jest.advanceTimersByTime(2_001);
    await client.get('a');

    expect(fake.commands[0]).toBe('SET a 1 EX 57');
  });

  test.each([
    [59_000, ['SET a 1 EX 1', 'GET a']],
    [59_001, ['GET a']],
    [3_600_000, ['GET a']],
  ])('drops what is too old: after %i ms of 60 s', async (elapsedMs, commands) => {
    client.deferSet('a', '1', 60);

    jest.advanceTimersByTime(elapsedMs);
    await client.get('a');

    expect(fake.commands).toEqual(commands);
  });

  test('replaces an older value of the same key', async () => {
    client.deferSet('a', '1', 60);
    client.deferSet('b', '2', 60);
    client.deferSet('a', '3', 60);

    await client.get('a');

    expect(fake.commands).toEqual(['SET b 2 EX 60', 'SET a 3 EX 60', 'GET a']);
  });

  test('keeps at most 64 and drops the oldest', async () => {
    for (let index = 0; index < 70; index += 1) client.deferSet(`k${index}`, '1', 60);

    await client.ping().catch(() => {});

    expect(fake.commands).toHaveLength(65);
    expect(fake.commands[0]).toBe('SET k6 1 EX 60');
    expect(fake.commands[63]).toBe('SET k69 1 EX 60');
  });

  test('does not fail its request if it is refused', async () => {
    const refusing = new RedisClient(async (): Promise<Reply[]> => [{ error: 'OOM' }, { result: 'x' }]);
    refusing.deferSet('a', '1', 60);

    expect(await refusing.get('a')).toBe('x');
  });

  test('is lost with its request and not sent again', async () => {
    client.deferSet('a', '1', 60);
    fake.failure = new CacheUnavailableError('away');
    await client.get('a').catch(() => {});
    fake.failure = undefined;

    await client.get('a');

    expect(fake.requests[1]).toEqual([['GET', 'a']]);
  });
});
