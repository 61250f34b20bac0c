import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seal, unseal } from '#shared/crypto/seal.ts';
import { openTicket, sealTicket } from '#shared/storage/ticket.ts';

const open = (sealed: string) => unseal(sealed, 'ticket', 'here');

describe('a seal', () => {
  test('decrypts only in its context', () => {
    const sealed = seal('text 文', 'ticket', 'here');

    expect(open(sealed)).toBe('text 文');
    expect(unseal(sealed, 'ticket', 'there')).toBeUndefined();
    expect(unseal(sealed, 'cursor', 'here')).toBeUndefined();
  });

  test.each([
    ['a character behind', (sealed: string) => `${sealed}A`],
    ['padding', (sealed: string) => `${sealed}=`],
    ['white space behind', (sealed: string) => `${sealed} `],
    ['white space within', (sealed: string) => `${sealed.slice(0, 9)}\n${sealed.slice(9)}`],
    ['a strange character within', (sealed: string) => `${sealed.slice(0, 9)}!${sealed.slice(9)}`],
    ['other letters of base64', (sealed: string) => sealed.replaceAll('-', '+').replaceAll('_', '/')],
  ])('with %s does not open', (_name, change) => {
    // Many, because not every one contains - or _.
    for (let n = 0; n < 50; n++) {
      const sealed = seal(`text ${n}`, 'ticket', 'here');
      const changed = change(sealed);
      expect(open(changed)).toBe(changed === sealed ? `text ${n}` : undefined);
    }
  });

  test('has one spelling: it does not decrypt with other last bits', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    // With lengths that leave two, four and zero bits unused.
    for (const text of ['a', 'ab', 'abc']) {
      const sealed = seal(text, 'ticket', 'here');
      const opened = letters.filter((letter) => open(sealed.slice(0, -1) + letter) !== undefined);
      expect(opened).toEqual([sealed.at(-1)]);
    }
  });

  test('does not decrypt with any character changed', () => {
    const sealed = sealTicket('01J00000000000000000000000');
    fc.assert(
      fc.property(fc.nat(sealed.length), fc.string({ maxLength: 3 }), fc.nat(2), (at, put, dropped) => {
        const changed = sealed.slice(0, at) + put + sealed.slice(at + dropped);
        if (changed !== sealed) expect(openTicket(changed)).toBeUndefined();
      }),
    );
  });
});
