import { describe, expect, test } from '@jest/globals';
import { createTranslate } from '#shared/i18n/messages.ts';

describe('createTranslate', () => {
  test('uses the messages of its locale', () => {
    expect(createTranslate('en')('ok')).toBe('OK');
    expect(createTranslate('zh_CN')('ok')).toBe('成功');
  });

  test('fills placeholders and keeps those without a parameter', () => {
    const t = createTranslate('en');

    const text = t('rule.text', { min: 0 });

    expect(text).toBe('Text of 0 to {max} characters without control characters');
  });

  test('returns a key without a text', () => {
    expect(createTranslate('en')('no such key')).toBe('no such key');
  });

  test('does not search inserted values for placeholders', () => {
    const t = createTranslate('en');

    const text = t('rule.text', { min: '{max}', max: 3 });

    expect(text).toBe('Text of {max} to 3 characters without control characters');
  });
});
