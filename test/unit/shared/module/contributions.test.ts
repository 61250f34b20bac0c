import { describe, expect, test } from '@jest/globals';
import { defineContributions, joinContributions } from '#shared/module/contributions.ts';

describe('joinContributions', () => {
  const rows = [{ id: '1' }, { id: '2' }, { id: '3' }];
  const joined = joinContributions([
    defineContributions({ statistics: { orders: async () => 7 } }),
    defineContributions({ latest: { orders: async (limit) => rows.slice(0, limit) } }),
    defineContributions({ statistics: { visits: async () => 1 } }),
  ]);

  test('counts and lists by kind, whichever module declares it', async () => {
    expect(await joined.count('orders')).toBe(7);
    expect(await joined.count('visits')).toBe(1);
    expect(await joined.listLatest('orders', 2)).toEqual([{ id: '1' }, { id: '2' }]);
  });

  test('has nothing of a kind that no module declares', async () => {
    expect(await joined.count('returns')).toBe(0);
    expect(await joined.listLatest('visits', 2)).toEqual([]);
    expect(await joinContributions([]).count('orders')).toBe(0);
  });

  test('does not hide a failure', async () => {
    const failing = joinContributions([{ statistics: { orders: () => Promise.reject(new Error('away')) } }]);

    await expect(failing.count('orders')).rejects.toThrow('away');
  });
});
