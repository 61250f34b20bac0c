import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keepOriginalName } from '#modules/System/files/records/keep-original-name.ts';
import { oddNames } from '../../../../fixtures/hostile/names.ts';
import { anyString } from '../../../../support/any-string.ts';

describe('keepOriginalName', () => {
  test.each(oddNames)('keeps of %j %j', (given, kept) => {
    expect(keepOriginalName(given)).toBe(kept);
  });

  test('keeps 100 characters', () => {
    expect(keepOriginalName('中'.repeat(100))).toBe('中'.repeat(100));
    expect(keepOriginalName(`${'中'.repeat(100)}.jpg`)).toBe('中'.repeat(100));
    expect(keepOriginalName(`${'a'.repeat(10_000)}.jpg`)).toBe('a'.repeat(100));
    expect(keepOriginalName('😀'.repeat(101))).toBe('😀'.repeat(100));
  });

  test('counts what is left after composing', () => {
    expect(keepOriginalName('e\u0301'.repeat(100))).toBe('\u00e9'.repeat(100));
  });

  test.each([
    ['a family', '👨‍👩‍👧'],
    ['a flag', '🇨🇳'],
    ['a skin tone', '👍🏽'],
    ['a mark that composes with nothing', 'x\u0323\u0307'],
  ])('cuts %s off whole', (_, character) => {
    const start = 'a'.repeat(99);

    expect(keepOriginalName(`${start}${character}.jpg`)).toBe(start);
  });

  test('cuts one character of a thousand marks', () => {
    expect(keepOriginalName(`a${'\u0334'.repeat(1000)}`)).toBe(`a${'\u0334'.repeat(99)}`);
  });

  test('leaves no white space where it cut', () => {
    expect(keepOriginalName(`${'a'.repeat(99)} b`)).toBe('a'.repeat(99));
  });

  test('ends in time on a million marks out of order', () => {
    const start = performance.now();

    keepOriginalName(`a${'\u0323\u0307\u0334'.repeat(300_000)}`);

    expect(performance.now() - start).toBeLessThan(1000);
  });

  test('keeps of any name 1 to 100 well-formed characters, and of these the same again', () => {
    const unit = fc.oneof(
      anyString({ minLength: 1, maxLength: 1 }),
      fc.constantFrom(...'/\\.\0 \u202e\u200d\ud800\u0301\u1100\u1161👨🇨'),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), (name) => {
        const kept = keepOriginalName(name);

        expect([...kept].length).toBeGreaterThanOrEqual(1);
        expect([...kept].length).toBeLessThanOrEqual(100);
        expect(kept.isWellFormed()).toBe(true);
        expect(kept.normalize('NFC')).toBe(kept);
        expect(kept).not.toMatch(/[/\\\p{Cc}\p{Bidi_Control}]|^\.+$/u);
        expect(keepOriginalName(kept)).toBe(kept);
      }),
      { numRuns: 1000 },
    );
  });
});
