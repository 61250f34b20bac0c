import { describe, expect, test } from '@jest/globals';
import { getItem } from '#shared/db/items.ts';
import { redeemTokens } from '#shared/db/single-use.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { randomLetters } from '../../support/database.ts';
import { keys } from '../../support/keys.ts';

const inAnHour = () => Math.floor(Date.now() / 1000) + 3_600;

/** Things that may be used once. */
export function describeSingleUses(): void {
  describe('a single use', () => {
    test('is granted to one of 20 concurrent requests, and to none afterwards', async () => {
      const id = randomLetters();
      const use = () => redeemTokens('test', [{ id, expiresAt: inAnHour() }]);

      const answers = await Promise.all(Array.from({ length: 20 }, use));

      expect(answers.filter((isFirst) => isFirst)).toHaveLength(1);
      expect(await use()).toBe(false);
    });

    test('counts for one ID of one kind', async () => {
      const [id, other] = [randomLetters(), randomLetters()];

      const answers = [
        await redeemTokens('test', [{ id, expiresAt: inAnHour() }]),
        await redeemTokens('other', [{ id, expiresAt: inAnHour() }]),
        await redeemTokens('test', [{ id: other, expiresAt: inAnHour() }]),
      ];

      expect(answers).toEqual([true, true, true]);
    });

    test('is stored until its time, which later requests do not shorten', async () => {
      const id = randomLetters();
      const expiresAt = inAnHour();

      await redeemTokens('test', [{ id, expiresAt }]);
      await redeemTokens('test', [{ id, expiresAt: expiresAt - 3_000 }]);

      expect(await getItem(keys.singleUse('test', id))).toMatchObject({ [ttlAttribute]: expiresAt });
    });
  });
}
