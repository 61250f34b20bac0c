import '../../../support/environment.ts';
import { randomBytes } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { signToken, type TokenPayload, unauthorized, verifyToken } from '#shared/auth/token.ts';
import { anyString } from '../../../support/any-string.ts';

const payload: TokenPayload = {
  sessionId: 'session-1',
  kind: 'admin',
  principalId: '01J0000000000000000000000A',
  expiresAt: 2_000_000_000,
};
const now = 1_900_000_000;

const anyPayload = fc.record({
  sessionId: fc.string({ unit: 'grapheme' }),
  kind: fc.constantFrom('admin', 'user'),
  principalId: fc.string({ unit: 'grapheme' }),
  expiresAt: fc.integer({ min: now + 1, max: 2 ** 40 }),
});

/** Loads the module in a process with these keys. */
async function loadWith(appKey: string): Promise<typeof import('#shared/auth/token.ts')> {
  process.env.APP_KEY = appKey;
  jest.resetModules();
  return import('#shared/auth/token.ts');
}
const refusal = (code: string) => expect.objectContaining({ code, status: 401 });

describe('a token', () => {
  test('is version, key, payload and signature in base64url', () => {
    expect(signToken(payload)).toMatch(/^v1\.[\w-]{8}\.[\w-]+\.[\w-]{43}$/);
  });

  test('contains what was signed', () => {
    fc.assert(
      fc.property(anyPayload, (signed) => {
        const read = verifyToken(signToken(signed), now);

        expect(read).toEqual(signed);
      }),
    );
  });

  test('is valid until its end, not at its end', () => {
    const token = signToken(payload);

    expect(verifyToken(token, payload.expiresAt - 0.001)).toEqual(payload);
    expect(() => verifyToken(token, payload.expiresAt)).toThrow(refusal('auth.token_expired'));
  });

  test('is checked against the clock if no time is given', () => {
    const past = signToken({ ...payload, expiresAt: Math.floor(Date.now() / 1000) - 1 });
    const future = signToken({ ...payload, expiresAt: Math.floor(Date.now() / 1000) + 60 });

    expect(() => verifyToken(past)).toThrow(refusal('auth.token_expired'));
    expect(verifyToken(future)).toMatchObject({ sessionId: 'session-1' });
  });
});

describe('verifyToken', () => {
  const token = signToken(payload);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.= ';

  test('refuses any change of a single character', () => {
    const changes = fc.tuple(fc.nat(token.length - 1), fc.constantFrom(...alphabet));

    fc.assert(
      fc.property(changes, ([at, character]) => {
        fc.pre(token[at] !== character);
        const changed = token.slice(0, at) + character + token.slice(at + 1);

        expect(() => verifyToken(changed, now)).toThrow(refusal('auth.token_invalid'));
      }),
      { numRuns: 300 },
    );
  });

  test('refuses a change of the last character, whose lowest bits are unused', () => {
    for (const character of alphabet) {
      const changed = token.slice(0, -1) + character;
      if (changed === token) continue;

      expect(() => verifyToken(changed, now)).toThrow(refusal('auth.token_invalid'));
    }
  });

  test.each([
    ['nothing', ''],
    ['dots', '...'],
    ['another version', token.replace('v1.', 'v2.')],
    ['no signature', token.slice(0, token.lastIndexOf('.'))],
    ['an empty signature', token.slice(0, token.lastIndexOf('.') + 1)],
    ['a part too many', `${token}.x`],
    ['padding', `${token}=`],
    ['an unknown key', token.replace(/^v1\.[^.]+/, 'v1.AAAAAAAA')],
    ['a text from elsewhere', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
  ])('refuses %s', (_title, forged) => {
    expect(() => verifyToken(forged, now)).toThrow(refusal('auth.token_invalid'));
  });

  test('refuses the payload of one token under the signature of another', () => {
    const [version, key, body] = signToken({ ...payload, principalId: 'other' }).split('.');
    const signature = token.split('.')[3];

    const forged = [version, key, body, signature].join('.');

    expect(() => verifyToken(forged, now)).toThrow(refusal('auth.token_invalid'));
  });

  test('reports an expired forged token as forged', () => {
    const expired = signToken({ ...payload, expiresAt: 1 });

    expect(() => verifyToken(`${expired}x`, now)).toThrow(refusal('auth.token_invalid'));
  });

  test('never throws anything but a refusal', () => {
    fc.assert(
      fc.property(anyString(), (text) => {
        expect(() => verifyToken(text, now)).toThrow(refusal('auth.token_invalid'));
      }),
    );
  });
});

describe('a change of keys', () => {
  const [oldKey, newKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];

  test('accepts tokens of an older key while it is listed', async () => {
    const older = (await loadWith(oldKey)).signToken(payload);

    const during = await loadWith(`${newKey},${oldKey}`);

    expect(during.verifyToken(older, now)).toEqual(payload);
  });

  test('signs with the first key', async () => {
    const made = (await loadWith(`${newKey},${oldKey}`)).signToken(payload);

    const after = await loadWith(newKey);

    expect(after.verifyToken(made, now)).toEqual(payload);
  });

  test('refuses tokens of a key that is no longer listed', async () => {
    const older = (await loadWith(oldKey)).signToken(payload);

    const after = await loadWith(newKey);

    expect(() => after.verifyToken(older, now)).toThrow(refusal('auth.token_invalid'));
  });
});

test('a 401 carries the header that asks for a bearer token', () => {
  const error = unauthorized('auth.token_missing');

  expect(error).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
});
