import '../../../support/environment.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { longestCacheSeconds } from '#functions/discover/cached-records.ts';
import type { CachedRecords } from '#shared/module/module.ts';
import { clearCaches } from '#shared/stream/clear-caches.ts';
import { type Key, keys } from '../../../support/keys.ts';
import { discoverShipped } from '../../../support/shipped-modules.ts';

function createMirrors() {
  const createCache = () => ({ ttlSeconds: 60, invalidate: jest.fn(async (_ids: string[]) => true) });
  const [a, b] = [createCache(), createCache()];
  const mirrors: CachedRecords[] = [
    { prefix: 'A#', mirrors: [{ cache: a }] },
    { prefix: 'LIST', mirrors: [{ toId: ({ sk }) => sk, cache: a }] },
    { prefix: 'B#', mirrors: [{ cache: b }] },
  ];
  return { a, b, mirrors };
}

describe('clearCaches', () => {
  test('clears each entry once, also if several of its items have changed', async () => {
    const { a, b, mirrors } = createMirrors();
    const changed = [
      { pk: 'A#x', sk: '1' },
      { pk: 'A#x', sk: '2' },
      { pk: 'LIST', sk: 'x' },
      { pk: 'A#y', sk: '1' },
      { pk: 'B#x', sk: '1' },
      { pk: 'A#x', sk: '1' },
    ];

    const outcome = await clearCaches(changed, mirrors);

    expect(a.invalidate.mock.calls).toEqual([[['x', 'y']]]);
    expect(b.invalidate.mock.calls).toEqual([[['x']]]);
    expect(outcome).toEqual({ cleared: 3 });
  });

  test('clears nothing for items without a cache', async () => {
    const { a, b, mirrors } = createMirrors();

    const outcome = await clearCaches(
      [
        { pk: 'C#x', sk: '1' },
        { pk: 'A', sk: 'A#x' },
      ],
      mirrors,
    );

    expect(outcome).toEqual({ cleared: 0 });
    expect(a.invalidate).not.toHaveBeenCalled();
    expect(b.invalidate).not.toHaveBeenCalled();
  });

  test('fails if a cache is away, after all others were cleared', async () => {
    const { a, b, mirrors } = createMirrors();
    a.invalidate.mockResolvedValue(false);

    const clearing = clearCaches(
      [
        { pk: 'A#x', sk: '1' },
        { pk: 'B#x', sk: '1' },
      ],
      mirrors,
    );

    await expect(clearing).rejects.toThrow('not every cache was cleared');
    expect(b.invalidate).toHaveBeenCalledTimes(1);
  });
});

describe('the cached records that the build finds', () => {
  let cached: readonly CachedRecords[];
  beforeAll(async () => {
    const { listeners } = await discoverShipped();
    cached = listeners.flatMap((found) => found.cached ?? []);
  });
  const recordsOf = (key: Key) => cached.find(({ prefix }) => key.pk.startsWith(prefix));

  test.each([
    ['a dictionary type', keys.dictType('user_kind'), 'DICT_TYPE', 'user_kind'],
    ['a dictionary item', keys.dictItem('user_kind', '#1'), 'DICT#', 'user_kind'],
    ['a setting', keys.config('basics', 'sys_status'), 'CONFIG#', 'basics'],
    ['an administrator', keys.admin('01A'), 'ADMIN#', '01A'],
    ['a user', keys.user('01U'), 'USER#', '01U'],
    ['a session', keys.session('s-_1'), 'SESSION#', 's-_1'],
    ['an API token', keys.apiToken('01A', '01T'), 'API_TOKENS#', '01A:01T'],
  ])('name the cache entry of %s', (_, key, prefix, id) => {
    const records = recordsOf(key);
    const [{ toId } = {}] = records?.mirrors ?? [];

    expect(records?.prefix).toBe(prefix);
    expect(toId ? toId(key) : key.pk.slice(prefix.length)).toBe(id);
  });

  test.each([
    ['throttle counters', keys.throttle('sms', 1)],
    ['single-use tokens', keys.singleUse('captcha', 'x')],
    ['uploads', keys.upload('x')],
    ['files', keys.file('x')],
    ['articles', keys.article('x')],
    ['counters', keys.userCounter('USERS', 0)],
    ['logins of users', keys.userLogin('x')],
    ['marks of spread indexes', keys.spreadIndex('USER')],
    ['claims', keys.adminAccount('root')],
    ['usages', keys.usageTotal('user_kind', '1')],
  ])('ignore %s', (_, key) => {
    expect(recordsOf(key)).toBeUndefined();
  });

  test('have prefixes of which none begins another', () => {
    const prefixes = cached.map(({ prefix }) => prefix);

    expect(
      prefixes.filter((prefix) => prefixes.some((other) => other !== prefix && other.startsWith(prefix))),
    ).toEqual([]);
  });

  test('drop a change that is older than any cache entry', () => {
    expect(longestCacheSeconds(cached)).toBe(300);
  });
});
