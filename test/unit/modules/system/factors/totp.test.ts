import '../../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { createTotpSecret, findTotpStep, toKeyUri } from '#modules/System/factors/totp.ts';

const stepMs = 30_000;
// RFC 6238, appendix B: the secret of SHA-1, and the codes of eight digits, of which six are the last ones.
const secret = Secret.fromLatin1('12345678901234567890').base32;

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('takes the code of RFC 6238 at %d s', async (seconds, code) => {
  expect(await findTotpStep(secret, code, 0, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test('takes the codes of one step before and after, and no others', async () => {
  const now = 50_000 * stepMs;
  const codeAt = (steps: number) => new TOTP({ secret }).generate({ timestamp: now + steps * stepMs });
  const found = [];
  for (const steps of [-2, -1, 0, 1, 2]) found.push(await findTotpStep(secret, codeAt(steps), 0, now));

  expect(found).toEqual([undefined, 49_999, 50_000, 50_001, undefined]);
});

test('takes no code of a step that was used, or of an earlier one', async () => {
  const now = 50_000 * stepMs;
  const codeAt = (steps: number) => new TOTP({ secret }).generate({ timestamp: now + steps * stepMs });

  expect(await findTotpStep(secret, codeAt(0), 50_000, now)).toBeUndefined();
  expect(await findTotpStep(secret, codeAt(-1), 50_000, now)).toBeUndefined();
  expect(await findTotpStep(secret, codeAt(1), 50_000, now)).toBe(50_001);
});

test('names site and account in the URI, with a secret of 160 bits', async () => {
  const created = await createTotpSecret();
  const uri = new URL(await toKeyUri(created, 'mei'));

  expect(created).toMatch(/^[A-Z2-7]{32}$/);
  expect(uri.protocol).toBe('otpauth:');
  expect(uri.href).toContain('localhost:mei');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: created,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
