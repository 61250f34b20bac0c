import '../../../support/environment.ts';
import { describe, expect, jest, test } from '@jest/globals';
import type { ConfigGroup } from '#shared/settings/group.ts';
import {
  type CacheRule,
  cachedPrefixes,
  cacheRules,
  clearCaches,
  longestCacheSeconds,
} from '#shared/stream/clear-caches.ts';
import { type Key, keys } from '../../../support/keys.ts';

const rest = ({ pk }: Key) => pk.slice(2);

function createRules() {
  const clear = {
    a: jest.fn(async (_ids: string[], _groups: readonly ConfigGroup[]) => true),
    b: jest.fn(async (_ids: string[]) => true),
  };
  const rules: CacheRule[] = [
    { prefix: 'A#', toId: rest, clear: clear.a },
    { prefix: 'LIST', toId: ({ sk }) => sk, clear: clear.a },
    { prefix: 'B#', toId: rest, clear: clear.b },
  ];
  return { clear, rules };
}

describe('clearCaches', () => {
  test('clears each entry once, also if several of its items have changed', async () => {
    const { clear, rules } = createRules();
    const changed = [
      { pk: 'A#x', sk: '1' },
      { pk: 'A#x', sk: '2' },
      { pk: 'LIST', sk: 'x' },
      { pk: 'A#y', sk: '1' },
      { pk: 'B#x', sk: '1' },
      { pk: 'A#x', sk: '1' },
    ];

    const outcome = await clearCaches(changed, [], rules);

    expect(clear.a.mock.calls).toEqual([[['x', 'y'], []]]);
    expect(clear.b.mock.calls).toEqual([[['x'], []]]);
    expect(outcome).toEqual({ cleared: 3 });
  });

  test('clears nothing for items without a cache', async () => {
    const { clear, rules } = createRules();

    const outcome = await clearCaches(
      [
        { pk: 'C#x', sk: '1' },
        { pk: 'A', sk: 'A#x' },
      ],
      [],
      rules,
    );

    expect(outcome).toEqual({ cleared: 0 });
    expect(clear.a).not.toHaveBeenCalled();
    expect(clear.b).not.toHaveBeenCalled();
  });

  test('passes the declared settings', async () => {
    const { clear, rules } = createRules();
    const groups = [{ name: 'mail', keys: {} }];

    await clearCaches([{ pk: 'A#x', sk: '1' }], groups, rules);

    expect(clear.a).toHaveBeenCalledWith(['x'], groups);
  });

  test.each([
    ['is away', async () => false],
    ['throws', () => Promise.reject(new Error('on purpose'))],
  ])('fails when a cache %s, after all others were cleared', async (_, fail) => {
    const { clear, rules } = createRules();
    clear.a.mockImplementation(fail);

    const clearing = clearCaches(
      [
        { pk: 'A#x', sk: '1' },
        { pk: 'B#x', sk: '1' },
      ],
      [],
      rules,
    );

    await expect(clearing).rejects.toThrow('not every cache was cleared');
    expect(clear.b).toHaveBeenCalledTimes(1);
  });
});

describe('the rules', () => {
  const ruleOf = (key: Key) => cacheRules.find(({ prefix }) => key.pk.startsWith(prefix));

  test.each([
    ['a dictionary type', keys.dictType('user_kind'), 'DICT_TYPE', 'user_kind'],
    ['a dictionary item', keys.dictItem('user_kind', '#1'), 'DICT#', 'user_kind'],
    ['a setting', keys.config('basics', 'sys_status'), 'CONFIG#', 'basics'],
    ['an administrator', keys.admin('01A'), 'ADMIN#', '01A'],
    ['a user', keys.user('01U'), 'USER#', '01U'],
    ['a session', keys.session('s-_1'), 'SESSION#', 's-_1'],
    ['an API token', keys.apiToken('01A', '01T'), 'API_TOKENS#', '01A#01T'],
  ])('name the cache entry of %s', (_, key, prefix, id) => {
    const rule = ruleOf(key);

    expect(rule?.prefix).toBe(prefix);
    expect(rule?.toId(key)).toBe(id);
  });

  test.each([
    ['throttle counters', keys.throttle('sms', 1)],
    ['one-use things', keys.once('captcha', 'x')],
    ['uploads', keys.upload('x')],
    ['files', keys.file('x')],
    ['articles', keys.article('x')],
    ['counters', keys.userCounter('USERS', 0)],
    ['logins of users', keys.userLogin('x')],
    ['marks of spread indexes', keys.spreadIndex('USER')],
    ['claims', keys.adminAccount('root')],
    ['usages', keys.usageTotal('user_kind', '1')],
  ])('ignore %s', (_, key) => {
    expect(ruleOf(key)).toBeUndefined();
  });

  test('have one prefix each', () => {
    const overlapping = cachedPrefixes.filter((prefix) =>
      cachedPrefixes.some((other) => other !== prefix && other.startsWith(prefix)),
    );

    expect(new Set(cachedPrefixes).size).toBe(cachedPrefixes.length);
    expect(overlapping).toEqual([]);
  });

  test('drop a change that is older than any cache entry', () => {
    expect(longestCacheSeconds).toBe(300);
  });
});
