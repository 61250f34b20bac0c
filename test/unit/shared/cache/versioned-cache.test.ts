import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CacheUnavailableError } from '#shared/cache/protocol.ts';
import { RedisClient } from '#shared/cache/redis.ts';
import { VersionedCache, type VersionedCacheOptions } from '#shared/cache/versioned-cache.ts';
import { FakeRedis } from './fake-redis.ts';

type Value = string | null;

let fake: FakeRedis;
/** Values in the database. */
let stored: Map<string, string>;
let logged: jest.SpiedFunction<typeof console.error>[];
beforeEach(() => {
  fake = new FakeRedis();
  stored = new Map();
  logged = (['warn', 'error'] as const).map((level) =>
    jest.spyOn(console, level).mockImplementation(() => {}),
  );
});
afterEach(() => {
  for (const spy of logged) spy.mockRestore();
});

const load = jest.fn<VersionedCacheOptions<Value>['load']>();
beforeEach(() => {
  load.mockReset();
  load.mockImplementation(async (ids) => new Map(ids.map((id) => [id, stored.get(id) ?? null])));
});

/** The cache of one process; all share one fake Redis. */
function createProcess(options: Partial<VersionedCacheOptions<Value>> = {}) {
  const client = new RedisClient(fake.transport);
  return new VersionedCache<Value>({
    entryKey: (id) => `entry:${id}`,
    generationKey: (id) => `generation:${id}`,
    ttlSeconds: 300,
    load,
    client: () => client,
    ...options,
  });
}
const readOne = async (cache: ReturnType<typeof createProcess>, id: string) =>
  (await cache.get([id])).get(id);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
/** Reads an entry and waits for its fill. */
async function warm(cache: ReturnType<typeof createProcess>, id: string): Promise<void> {
  await readOne(cache, id);
  await readOne(cache, 'another');
  load.mockClear();
}

describe('get', () => {
  test('loads what the cache does not have', async () => {
    stored.set('a', '1');

    const found = await createProcess().get(['a', 'b']);

    expect([...found]).toEqual([
      ['a', '1'],
      ['b', null],
    ]);
    expect(load).toHaveBeenCalledTimes(1);
    expect(load).toHaveBeenCalledWith(['a', 'b']);
  });

  test('sends nothing without an ID', async () => {
    const found = await createProcess().get([]);

    expect(found.size).toBe(0);
    expect(fake.requests).toEqual([]);
    expect(load).not.toHaveBeenCalled();
  });

  test('serves a hit in one request of one command', async () => {
    const cache = createProcess();
    await warm(cache, 'a');
    await readOne(cache, 'a');
    fake.requests.length = 0;

    await readOne(cache, 'a');

    expect(fake.commands).toEqual(['MGET entry:a generation:a']);
  });

  test('remembers that something does not exist', async () => {
    const cache = createProcess();
    await warm(cache, 'none');

    const value = await readOne(cache, 'none');

    expect(value).toBeNull();
    expect(load).not.toHaveBeenCalled();
  });

  test('loads only those of several that are missing', async () => {
    stored.set('a', '1').set('b', '2');
    const cache = createProcess();
    await warm(cache, 'a');

    const found = await cache.get(['a', 'b']);

    expect([...found].sort()).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(load).toHaveBeenCalledWith(['b']);
  });

  test('loads once for concurrent misses, also of overlapping lists', async () => {
    const cache = createProcess();

    await Promise.all([cache.get(['a', 'b']), cache.get(['b', 'c']), cache.get(['a'])]);

    expect(load.mock.calls.flatMap(([ids]) => ids).sort()).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['while the cache is away', () => (fake.failure = new CacheUnavailableError('away')), {}],
    ['switched off', () => {}, { isEnabled: false }],
  ])('loads once for concurrent reads, %s', async (_title, prepare, options) => {
    prepare();
    const cache = createProcess(options);

    await Promise.all([readOne(cache, 'a'), readOne(cache, 'a')]);

    expect(load).toHaveBeenCalledTimes(1);
  });

  test('loads again after a failed load, and fails every read that waited for it', async () => {
    stored.set('a', '1');
    load.mockRejectedValueOnce(new Error('away'));
    const cache = createProcess();

    const failed = await Promise.allSettled([readOne(cache, 'a'), readOne(cache, 'a')]);

    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await readOne(cache, 'a')).toBe('1');
  });

  test('names the value that a load left out', async () => {
    load.mockResolvedValueOnce(new Map());

    await expect(readOne(createProcess(), 'a')).rejects.toThrow('nothing was loaded for entry:a');
  });

  test.each(['', 'x', '1', 'null', '[]', '{"value":"old"}'])(
    'ignores a foreign entry: %j',
    async (foreign) => {
      stored.set('a', '1');
      fake.values.set('entry:a', foreign);

      expect(await readOne(createProcess(), 'a')).toBe('1');
    },
  );

  test('serves no entry whose generation is gone', async () => {
    const cache = createProcess();
    await warm(cache, 'a');
    fake.values.delete('generation:a');
    stored.set('a', '2');

    expect(await readOne(cache, 'a')).toBe('2');
  });

  test('fills with the rest of the time to live', async () => {
    jest.useFakeTimers({ now: 1_000_000_000, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const cache = createProcess();
    await readOne(cache, 'a');

    jest.setSystemTime(1_000_010_000);
    await readOne(cache, 'b');
    jest.useRealTimers();

    expect(fake.commands.find((command) => command.startsWith('SET entry:a'))).toMatch(/ EX 290$/);
    expect(fake.commands.find((command) => command.startsWith('SET generation:a'))).toMatch(/ NX EX 600$/);
  });
});

describe('invalidate', () => {
  test('keeps other entries', async () => {
    const cache = createProcess();
    await warm(cache, 'a');

    await cache.invalidate(['b']);
    await readOne(cache, 'a');

    expect(load).not.toHaveBeenCalled();
  });

  test('voids a fill that began before it, also if that arrives late', async () => {
    stored.set('a', '1');
    const [reader, writer] = [createProcess(), createProcess()];
    await readOne(reader, 'a');
    stored.set('a', '2');
    await writer.invalidate(['a']);

    await readOne(reader, 'another');

    expect(JSON.parse(fake.values.get('entry:a') ?? '')).toMatchObject({ value: '1' });
    expect(await readOne(writer, 'a')).toBe('2');
  });

  test('voids a fill whose claim of a generation arrives after it', async () => {
    stored.set('a', '1');
    const [reader, writer] = [createProcess(), createProcess()];
    const held = Promise.withResolvers<void>();
    fake.delay = async (commands) => commands.some((command) => command.includes('NX')) && held.promise;
    const reading = readOne(reader, 'a');
    await nextTurn();
    stored.set('a', '2');
    await writer.invalidate(['a']);

    held.resolve();
    await reading;
    await readOne(reader, 'another');

    expect(await readOne(writer, 'a')).toBe('2');
  });

  test('does not wait for a running load, nor does the read after it', async () => {
    const slow = Promise.withResolvers<Map<string, Value>>();
    load.mockReturnValueOnce(slow.promise);
    const cache = createProcess();
    const early = readOne(cache, 'a');
    await nextTurn();
    stored.set('a', '2');
    await cache.invalidate(['a']);

    const late = await readOne(cache, 'a');
    slow.resolve(new Map([['a', '1']]));

    expect(late).toBe('2');
    expect(await early).toBe('1');
    await readOne(cache, 'another');
    expect(await readOne(cache, 'a')).toBe('2');
  });

  test('sends nothing without an ID', async () => {
    await createProcess().invalidate([]);

    expect(fake.requests).toEqual([]);
  });

  test('travels in one request', async () => {
    await createProcess().invalidate(['a', 'b']);

    expect(fake.requests).toHaveLength(1);
    expect(fake.requests[0]).toHaveLength(4);
  });
});

describe('when the cache is away', () => {
  beforeEach(() => {
    fake.failure = new CacheUnavailableError('away');
  });

  test('reads go to the database', async () => {
    stored.set('a', '1');

    expect(await readOne(createProcess(), 'a')).toBe('1');
  });

  test('loaded values are not filled in later', async () => {
    const cache = createProcess();
    await readOne(cache, 'a');
    fake.failure = undefined;

    await readOne(cache, 'b');

    expect(fake.values.has('entry:a')).toBe(false);
  });

  test('an invalidation does not fail the write, and is logged', async () => {
    const cache = createProcess();

    await expect(cache.invalidate(['a'])).resolves.toBe(false);

    const lines = logged.flatMap((spy) => spy.mock.calls.map((call) => JSON.parse(String(call[0]))));
    expect(lines).toEqual([expect.objectContaining({ event: 'cache.invalidate_failed', keys: ['entry:a'] })]);
  });

  test('an invalidation whose first try is lost still holds', async () => {
    fake.failure = undefined;
    stored.set('a', '1');
    const cache = createProcess();
    await warm(cache, 'a');
    stored.set('a', '2');
    fake.failNext = new CacheUnavailableError('slow once');

    const isDone = await cache.invalidate(['a']);

    expect(isDone).toBe(true);
    expect(await readOne(cache, 'a')).toBe('2');
  });

  test('nothing is filled if only the claim of a generation is lost', async () => {
    fake.failure = undefined;
    const cache = createProcess();
    load.mockImplementationOnce(async (ids) => {
      fake.failure = new CacheUnavailableError('away');
      await nextTurn();
      return new Map(ids.map((id) => [id, 'loaded']));
    });

    expect(await readOne(cache, 'a')).toBe('loaded');
    fake.failure = undefined;
    await readOne(cache, 'b');

    expect(fake.values.has('entry:a')).toBe(false);
  });
});

describe('with a generation of all entries', () => {
  const createDependent = () => createProcess({ dependsOn: 'generation:all' });

  test('serves entries of several IDs without loading any', async () => {
    stored.set('a', '1').set('b', '2');
    const cache = createDependent();
    await warm(cache, 'a');
    await warm(cache, 'b');

    expect([...(await cache.get(['a', 'b']))]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(load).not.toHaveBeenCalled();
  });

  test('serves no entry if it is gone', async () => {
    const cache = createDependent();
    await warm(cache, 'a');
    fake.values.delete('generation:all');
    stored.set('a', '2');

    expect(await readOne(cache, 'a')).toBe('2');
  });

  test('fills nothing if another process has just set it', async () => {
    const cache = createDependent();
    fake.delay = async (commands) => {
      if (commands.some((command) => command.includes('NX'))) fake.values.set('generation:all', 'theirs');
    };
    await warm(cache, 'a');

    expect(fake.values.has('generation:a')).toBe(true);
    expect(fake.values.has('entry:a')).toBe(false);
  });
});

describe('switched off', () => {
  test('every read loads, and nothing is sent to the cache', async () => {
    const cache = createProcess({ isEnabled: false });

    await readOne(cache, 'a');
    await readOne(cache, 'a');
    await cache.invalidate(['a']);

    expect(load).toHaveBeenCalledTimes(2);
    expect(fake.requests).toEqual([]);
  });
});

describe('a signed cache', () => {
  const options = { isSigned: true };

  test('reads what it has written, in one request', async () => {
    stored.set('a', '1');
    await warm(createProcess(options), 'a');
    fake.requests.length = 0;

    expect(await readOne(createProcess(options), 'a')).toBe('1');
    expect(load).not.toHaveBeenCalled();
    expect(fake.requests).toHaveLength(1);
  });

  test('takes an entry that it has not made for a miss, and replaces it', async () => {
    stored.set('a', '1');
    await warm(createProcess(options), 'a');
    const generation = fake.values.get('generation:a');
    fake.values.set('entry:a', JSON.stringify({ generation, value: 'forged', until: Date.now() + 60_000 }));

    expect(await readOne(createProcess(options), 'a')).toBe('1');
    await warm(createProcess(options), 'a');
    expect(fake.values.get('entry:a')).toContain('"value":"1"');
  });

  test('takes the entry of another ID for a miss', async () => {
    stored.set('a', '1').set('b', '2');
    await warm(createProcess(options), 'a');
    await warm(createProcess(options), 'b');
    for (const kind of ['entry', 'generation']) {
      fake.values.set(`${kind}:a`, String(fake.values.get(`${kind}:b`)));
    }

    expect(await readOne(createProcess(options), 'a')).toBe('1');
  });
});
