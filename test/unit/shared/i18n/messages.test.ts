import { describe, expect, test } from '@jest/globals';
import { createTranslate } from '#shared/i18n/messages.ts';

describe('createTranslate', () => {
  const t = createTranslate([
    { both: 'one', range: 'From {min} to {max}' },
    { both: 'other', 'shop.closed': 'Closed' },
  ]);

  test('prefers earlier messages', () => {
    expect([t('both'), t('shop.closed')]).toEqual(['one', 'Closed']);
  });

  test('fills placeholders and keeps those without a parameter', () => {
    const text = t('range', { min: 0 });

    expect(text).toBe('From 0 to {max}');
  });

  test.each(['no such key', 'constructor'])('returns %j, which has no text', (key) => {
    expect(t(key)).toBe(key);
  });

  test('does not search inserted values for placeholders', () => {
    const text = t('range', { min: '{max}', max: 3 });

    expect(text).toBe('From {max} to 3');
  });
});
