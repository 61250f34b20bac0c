import { describe, expect, test } from '@jest/globals';
import { defineContributions, joinContributions } from '#shared/module/contributions.ts';

const shown = {
  title: { zh_CN: '订单', en: 'Orders' },
  to: 'shop/order',
  permission: 'shop/order/list',
};
const counts = (total: number) => ({ ...shown, read: async () => ({ total }) });

describe('joinContributions', () => {
  const rows = [{ id: '1' }, { id: '2' }, { id: '3' }];
  const joined = joinContributions([
    defineContributions({ statistics: { orders: counts(7) } }),
    defineContributions({ latest: { orders: async (limit) => rows.slice(0, limit) } }),
    defineContributions({ statistics: { visits: counts(1) } }),
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

  test('reads the cards of all modules, each with its days if it counts by day', async () => {
    const added = (days: number) => Array.from({ length: days }, (_, day) => day);
    const byDay = { ...shown, read: async (days: number) => ({ total: 9, added: added(days) }) };
    const cards = joinContributions([
      defineContributions({ statistics: { orders: counts(7) } }),
      defineContributions({ statistics: { visits: byDay } }),
    ]);

    expect(await cards.readStatistics(3)).toEqual([
      { ...shown, kind: 'orders', total: 7, added: undefined },
      { ...shown, kind: 'visits', total: 9, added: [0, 1, 2] },
    ]);
  });

  test('reads what waits in all modules', async () => {
    const waits = joinContributions([
      { waiting: { open: { ...shown, count: async () => 2 } } },
      { waiting: { late: { ...shown, count: async () => 0 } } },
    ]);

    expect(await waits.readWaiting()).toEqual([
      { ...shown, kind: 'open', count: 2 },
      { ...shown, kind: 'late', count: 0 },
    ]);
  });

  test('does not hide a failure', async () => {
    const failing = joinContributions([
      { statistics: { orders: { ...shown, read: () => Promise.reject(new Error('away')) } } },
    ]);

    await expect(failing.count('orders')).rejects.toThrow('away');
    await expect(failing.readStatistics(7)).rejects.toThrow('away');
  });
});
