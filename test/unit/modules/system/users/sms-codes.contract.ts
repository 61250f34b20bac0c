import { describe, expect, test } from '@jest/globals';
import { checkSmsCode, issueSmsCode } from '#modules/System/users/sms-codes.ts';
import { getItem, transact } from '#shared/db/items.ts';
import { outcomesOf, tally } from '../../../../support/database.ts';
import { keys } from '../../../../support/keys.ts';
import { expireCode, giveCode, newMobile, wrongCodeFor } from './fixture.ts';

const scene = 'login';

/** Checks a code and uses it up. */
async function consume(mobile: string, code: string): Promise<void> {
  await transact([(await checkSmsCode({ mobile, scene }, code)).spend]);
}

export function describeSmsCodes(): void {
  describe('an SMS code', () => {
    test('has 6 digits and is stored as a hash', async () => {
      const mobile = newMobile();

      const code = await giveCode(mobile, scene);

      expect(code).toMatch(/^\d{6}$/);
      const item = await getItem(keys.smsCode(scene, mobile));
      expect(JSON.stringify({ ...item, pk: '', sk: '' })).not.toContain(code);
      expect(Number(item?.expires_at) - Date.now() / 1000).toBeCloseTo(300, -1);
    });

    test('is valid once, even if many use it at once', async () => {
      const mobile = newMobile();
      const code = await giveCode(mobile, scene);

      const outcomes = await outcomesOf(Array.from({ length: 3 }, () => consume(mobile, code)));

      expect(tally(outcomes)).toEqual({ done: 1, ConditionError: 2 });
      expect((await checkSmsCode({ mobile, scene }, code)).isSpent).toBe(true);
      expect(await outcomesOf([consume(mobile, code)])).toEqual(['ConditionError']);
    });

    test('is void after the fifth of many wrong tries at once', async () => {
      const mobile = newMobile();
      const code = await giveCode(mobile, scene);
      await outcomesOf(Array.from({ length: 20 }, () => consume(mobile, wrongCodeFor(code))));

      const { tries } = (await getItem(keys.smsCode(scene, mobile))) ?? {};
      expect(tries).toBe(5);
      await expect(consume(mobile, code)).rejects.toThrow('auth.code_invalid');
    });

    test('expires, also between check and use', async () => {
      const mobile = newMobile();
      const code = await giveCode(mobile, scene);
      const { spend } = await checkSmsCode({ mobile, scene }, code);

      await expireCode(mobile, scene);

      await expect(checkSmsCode({ mobile, scene }, code)).rejects.toThrow('auth.code_invalid');
      expect(await outcomesOf([transact([spend])])).toEqual(['ConditionError']);
    });

    test('is replaced by the next one', async () => {
      const mobile = newMobile();
      const first = await giveCode(mobile, scene);
      let second = await giveCode(mobile, scene);
      while (second === first) second = await giveCode(mobile, scene);

      expect(await outcomesOf([consume(mobile, first), consume(mobile, second)])).toEqual([
        'auth.code_invalid',
        'done',
      ]);
    });

    test('is revoked alone: a newer one is kept', async () => {
      const mobile = newMobile();
      const first = issueSmsCode({ mobile, scene });
      await transact([first.write]);
      await first.revoke();
      expect(await getItem(keys.smsCode(scene, mobile))).toBeUndefined();

      const second = await giveCode(mobile, scene);
      await first.revoke();
      await expect(consume(mobile, second)).resolves.toBeUndefined();
    });
  });
}
