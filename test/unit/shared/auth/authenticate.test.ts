import '../../../support/environment.ts';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { authenticate } from '#shared/auth/authenticate.ts';
import { readBearer, signToken } from '#shared/auth/token.ts';
import { anyString } from '../../../support/any-string.ts';

describe('readBearer', () => {
  test.each([
    ['Bearer abc.def', 'abc.def'],
    ['bearer abc', 'abc'],
    ['BEARER   abc', 'abc'],
    ['Bearer abc  ', 'abc'],
    ['Bearer a+/=~', 'a+/=~'],
  ])('reads the token of %j', (header, token) => {
    expect(readBearer(header)).toBe(token);
  });

  test.each([undefined, '', 'Bearer', 'Bearer ', 'abc', 'Basic abc', 'Bearerabc', 'Bearer a b', ' Bearer a'])(
    'finds no token in %j',
    (header) => {
      expect(readBearer(header)).toBeUndefined();
    },
  );

  test('never returns a token with white space in it', () => {
    fc.assert(
      fc.property(anyString(), (text) => {
        expect(readBearer(`Bearer ${text}`) ?? '').not.toMatch(/\s/);
      }),
    );
  });
});

describe('authenticate', () => {
  const expiresAt = Math.floor(Date.now() / 1000) + 60;
  const token = signToken({ sessionId: 's', kind: 'user', principalId: 'u', expiresAt });
  const expired = signToken({ sessionId: 's', kind: 'admin', principalId: 'a', expiresAt: 1 });

  test.each([
    ['no header', undefined, 'auth.token_missing'],
    ['another scheme', 'Basic abc', 'auth.token_invalid'],
    ['a forged token', `Bearer ${token}x`, 'auth.token_invalid'],
    ['an expired token', `Bearer ${expired}`, 'auth.token_expired'],
    ['a token of another kind', `Bearer ${token}`, 'auth.principal_mismatch'],
  ])('refuses %s at once, before anything is read', (_title, header, code) => {
    const principals = { getOne: jest.fn<() => never>() };

    const attempt = () => authenticate(header, 'admin', principals);

    expect(attempt).toThrow(expect.objectContaining({ code, headers: { 'www-authenticate': 'Bearer' } }));
    expect(principals.getOne).not.toHaveBeenCalled();
  });
});
