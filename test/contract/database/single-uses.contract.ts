import { describe, expect, test } from '@jest/globals';
import { getItem } from '#shared/db/items.ts';
import { useOnce } from '#shared/db/once.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { randomLetters } from '../../support/database.ts';
import { keys } from '../../support/keys.ts';

const inAnHour = () => Math.floor(Date.now() / 1000) + 3_600;

/** Things that may be used once. */
export function describeSingleUses(): void {
  describe('a single use', () => {
    test('is granted to one of 20 concurrent requests, and to none afterwards', async () => {
      const id = randomLetters();
      const use = () => useOnce('test', id, inAnHour());

      const answers = await Promise.all(Array.from({ length: 20 }, use));

      expect(answers.filter((isFirst) => isFirst)).toHaveLength(1);
      expect(await use()).toBe(false);
    });

    test('counts for one ID of one kind', async () => {
      const [id, other] = [randomLetters(), randomLetters()];

      const answers = [
        await useOnce('test', id, inAnHour()),
        await useOnce('other', id, inAnHour()),
        await useOnce('test', other, inAnHour()),
      ];

      expect(answers).toEqual([true, true, true]);
    });

    test('is stored until its time, which later requests do not shorten', async () => {
      const id = randomLetters();
      const expiresAt = inAnHour();

      await useOnce('test', id, expiresAt);
      await useOnce('test', id, expiresAt - 3_000);

      expect(await getItem(keys.once('test', id))).toMatchObject({ [ttlAttribute]: expiresAt });
    });
  });
}
