import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decryptTicket, encryptTicket } from '#modules/System/files/uploads/ticket.ts';
import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';

const open = (encrypted: string) => decrypt(encrypted, 'ticket', 'here');

describe('an encrypted text', () => {
  test('decrypts only in its context', () => {
    const encrypted = encrypt('text 文', 'ticket', 'here');

    expect(open(encrypted)).toBe('text 文');
    expect(decrypt(encrypted, 'ticket', 'there')).toBeUndefined();
    expect(decrypt(encrypted, 'cursor', 'here')).toBeUndefined();
  });

  test.each([
    ['a character behind', (encrypted: string) => `${encrypted}A`],
    ['padding', (encrypted: string) => `${encrypted}=`],
    ['white space behind', (encrypted: string) => `${encrypted} `],
    ['white space within', (encrypted: string) => `${encrypted.slice(0, 9)}\n${encrypted.slice(9)}`],
    ['a strange character within', (encrypted: string) => `${encrypted.slice(0, 9)}!${encrypted.slice(9)}`],
    ['other letters of base64', (encrypted: string) => encrypted.replaceAll('-', '+').replaceAll('_', '/')],
  ])('with %s does not open', (_name, change) => {
    // Many, because not every one contains - or _.
    for (let n = 0; n < 50; n++) {
      const encrypted = encrypt(`text ${n}`, 'ticket', 'here');
      const changed = change(encrypted);
      expect(open(changed)).toBe(changed === encrypted ? `text ${n}` : undefined);
    }
  });

  test('has one spelling: it does not decrypt with other last bits', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    // With lengths that leave two, four and zero bits unused.
    for (const text of ['a', 'ab', 'abc']) {
      const encrypted = encrypt(text, 'ticket', 'here');
      const opened = letters.filter((letter) => open(encrypted.slice(0, -1) + letter) !== undefined);
      expect(opened).toEqual([encrypted.at(-1)]);
    }
  });

  test('does not decrypt with any character changed', () => {
    const encrypted = encryptTicket('01J00000000000000000000000');
    fc.assert(
      fc.property(fc.nat(encrypted.length), fc.string({ maxLength: 3 }), fc.nat(2), (at, put, dropped) => {
        const changed = encrypted.slice(0, at) + put + encrypted.slice(at + dropped);
        if (changed !== encrypted) expect(decryptTicket(changed)).toBeUndefined();
      }),
    );
  });
});
