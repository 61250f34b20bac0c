import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { currentCost, hashPassword, verifyNothing, verifyPassword } from '#shared/auth/password.ts';

/** Cheap, because the tests need many hashes. */
const low = { ln: 4, r: 1, p: 1 };

describe('hashPassword', () => {
  test('records salt and cost in a PHC string', async () => {
    const phc = await hashPassword('correct horse', low);

    expect(phc).toMatch(/^\$scrypt\$ln=4,r=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  test('uses a new salt for each hash', async () => {
    const [first, second] = await Promise.all([hashPassword('same', low), hashPassword('same', low)]);

    expect(first).not.toBe(second);
  });

  test('makes new hashes at the current cost', async () => {
    const phc = await hashPassword('correct horse');

    expect(phc).toContain(`$ln=${currentCost.ln},r=${currentCost.r},p=${currentCost.p}$`);
    expect(await verifyPassword('correct horse', phc)).toEqual({ isValid: true, isStale: false });
  });
});

describe('verifyPassword', () => {
  test('accepts only the right password', async () => {
    const passwords = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });

    await fc.assert(
      fc.asyncProperty(passwords, passwords, async (password, other) => {
        const phc = await hashPassword(password, low);

        expect((await verifyPassword(password, phc)).isValid).toBe(true);
        expect((await verifyPassword(other, phc)).isValid).toBe(
          password.normalize('NFKC') === other.normalize('NFKC'),
        );
      }),
      { numRuns: 30 },
    );
  });

  test('accepts the same characters from every keyboard', async () => {
    const phc = await hashPassword('caf\u00e9\uff11', low);

    expect((await verifyPassword('cafe\u03011', phc)).isValid).toBe(true);
  });

  test('accepts the vector of RFC 7914, section 12, cut to its first 32 bytes', async () => {
    const salt = Buffer.from('NaCl').toString('base64').replace(/=+$/, '');
    const hash = Buffer.from('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162', 'hex');
    const phc = `$scrypt$ln=10,r=8,p=16$${salt}$${hash.toString('base64').replace(/=+$/, '')}`;

    const { isValid } = await verifyPassword('password', phc);

    expect(isValid).toBe(true);
  });

  test.each([
    ['ln', { ...currentCost, ln: 10 }],
    ['r', { ...currentCost, r: 1 }],
    ['p', { ...currentCost, p: 1 }],
  ])('reports a hash of a lower %s as stale', async (_name, cost) => {
    const phc = await hashPassword('correct horse', cost);

    expect(await verifyPassword('correct horse', phc)).toEqual({ isValid: true, isStale: true });
  });

  test.each([
    '',
    'plain',
    '$2b$10$abcdefghijklmnopqrstuv',
    '$scrypt$ln=4,r=1$c2FsdA$aGFzaA',
    '$argon2id$v=19$m=1,t=1,p=1$a$b',
  ])('refuses %j as a hash', async (stored) => {
    await expect(verifyPassword('x', stored)).rejects.toThrow('not a PHC string');
  });
});

test('a check without an account is never valid', async () => {
  expect(await verifyNothing('')).toEqual({ isValid: false, isStale: false });
});
