import { describe, expect, jest, test } from '@jest/globals';
import { readUserCounts } from '#modules/System/users/counters.ts';
import { terminals } from '#modules/System/users/terminal.ts';
import { toDay } from '#shared/config/local-time.ts';
import { getItems } from '#shared/db/items.ts';
import { stopClock } from '../../../../support/fake-time.ts';
import { keys } from '../../../../support/keys.ts';
import { newMobile, newUser } from './fixture.ts';

const { miniProgram, officialAccount, h5 } = terminals;

/** Numbers of users. */
export function describeCounters(): void {
  describe('the counters of users', () => {
    test('add up after 100 creations at once, spread over shards', async () => {
      const before = await readUserCounts(1);
      const from = [
        ...Array(50).fill(miniProgram),
        ...Array(30).fill(officialAccount),
        ...Array(20).fill(h5),
      ];

      await Promise.all(from.map((terminal) => newUser({ terminal })));

      const after = await readUserCounts(1);
      expect(after.total - before.total).toBe(100);
      expect(after.byTerminal.mini_program - before.byTerminal.mini_program).toBe(50);
      expect(after.byTerminal.official_account - before.byTerminal.official_account).toBe(30);
      expect(after.byTerminal.h5 - before.byTerminal.h5).toBe(20);
      expect(after.byDay).toEqual([{ date: toDay(), count: Number(before.byDay[0]?.count) + 100 }]);
      const shards = await getItems(
        Array.from({ length: 32 }, (_, shard) => keys.userCounter('USERS', shard)),
      );
      expect(new Set(shards.map(({ pk }) => pk)).size).toBeGreaterThan(16);
    });

    test('do not move for a user that is not created', async () => {
      const mobile = newMobile();
      await newUser({ mobile });
      const before = await readUserCounts(1);

      await expect(newUser({ mobile })).rejects.toThrow();

      expect(await readUserCounts(1)).toEqual(before);
    });

    test('count a user under the day of the time zone, and list days without one', async () => {
      // 17:30 UTC of the 1st is 01:30 of the 2nd in Asia/Shanghai.
      stopClock();
      jest.setSystemTime(Date.parse('2019-03-01T17:30:00Z'));
      try {
        await newUser();

        const { byDay } = await readUserCounts(3);

        expect(byDay).toEqual([
          { date: '2019-02-28', count: 0 },
          { date: '2019-03-01', count: 0 },
          { date: '2019-03-02', count: 1 },
        ]);
      } finally {
        jest.useRealTimers();
      }
    });
  });
}
