import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { locales, negotiateLocale, toLanguageTag, toLocale } from '#shared/i18n/locale.ts';
import { anyString } from '../../../support/any-string.ts';

describe('toLocale', () => {
  test.each([
    ['zh-CN', 'zh_CN'],
    ['zh-hans-cn', 'zh_CN'],
    ['ZH_cn', 'zh_CN'],
    ['zh', 'zh_CN'],
    [' zh-Hant-TW ', 'zh_CN'],
    ['en', 'en'],
    ['en_US', 'en'],
    ['EN-gb', 'en'],
  ])('converts %j to %s', (tag, expected) => {
    expect(toLocale(tag)).toBe(expected);
  });

  test.each(['', '*', 'fr', 'zhuang', 'english', '-zh', 'constructor', '__proto__', 'toString-en'])(
    'finds no locale for %j',
    (tag) => {
      expect(toLocale(tag)).toBeUndefined();
    },
  );
});

describe('toLanguageTag', () => {
  test('spells locales as IETF language tags', () => {
    expect(locales.map(toLanguageTag)).toEqual(['zh-CN', 'en']);
  });
});

describe('negotiateLocale with a fallback', () => {
  test.each([
    [{}, 'en'],
    [{ 'accept-language': '*' }, 'en'],
    [{ 'accept-language': 'fr' }, 'en'],
    [{ 'accept-language': 'fr, *;q=0.5' }, 'en'],
    [{ 'x-language': 'fr' }, 'en'],
    [{ 'accept-language': 'en;q=0, *' }, 'zh_CN'],
    [{ 'accept-language': 'zh' }, 'zh_CN'],
    [{ 'x-language': 'zh-CN', 'accept-language': 'en' }, 'zh_CN'],
  ])('answers %j in %s', (headers, expected) => {
    expect(negotiateLocale(headers, 'en')).toBe(expected);
  });
});

describe('negotiateLocale', () => {
  test.each([
    [undefined, 'zh_CN'],
    ['', 'zh_CN'],
    ['en', 'en'],
    ['en-US,en;q=0.9', 'en'],
    ['fr-FR, en;q=0.3', 'en'],
    ['fr, de', 'zh_CN'],
    ['zh;q=0.4, en;q=0.5', 'en'],
    ['en;q=0.5, zh;q=0.5', 'en'],
    ['zh;q=0.5, en;q=0.5', 'zh_CN'],
    ['en;Q=0.2, zh-hans-cn;q=0.1', 'en'],
    ['en ; q=0.2 , zh ; q=0.3', 'zh_CN'],
    ['*', 'zh_CN'],
    ['*, en;q=0.5', 'zh_CN'],
    ['*;q=0.1, en', 'en'],
    ['en-US;q=0.1, zh', 'zh_CN'],
    ['en, zh;q=1', 'en'],
    ['en;q=0', 'zh_CN'],
    ['en;q=0, zh;q=0.001', 'zh_CN'],
    ['en;q=0.000, *;q=0.1', 'zh_CN'],
    ['zh;q=0, en;q=0.1', 'en'],
    ['en;q=2, zh;q=0.1', 'zh_CN'],
    ['en;q=, zh;q=0.1', 'zh_CN'],
    ['en;q=0.1234, zh;q=0.1', 'zh_CN'],
    ['en;level=1', 'en'],
    [',,;q=1,en', 'en'],
  ])('answers Accept-Language %j in %s', (header, expected) => {
    expect(negotiateLocale({ 'accept-language': header })).toBe(expected);
  });

  test.each(['fr', '', '*', 'constructor'])('ignores an X-Language of %j', (language) => {
    const locale = negotiateLocale({ 'x-language': language, 'accept-language': 'en' });

    expect(locale).toBe('en');
  });

  test('returns one of our locales for any headers', () => {
    const part = fc.oneof(anyString(), fc.stringMatching(/^[a-z*]{0,3}([-_][a-z]{2})?(;q=[0-9.]{0,5})?$/));
    const header = fc.option(fc.array(part, { maxLength: 8 }).map(String), { nil: undefined });

    fc.assert(
      fc.property(header, header, (language, accepted) => {
        const locale = negotiateLocale({ 'x-language': language, 'accept-language': accepted });

        expect(locales).toContain(locale);
      }),
    );
  });

  test('follows the highest weight in any order', () => {
    const weights = fc
      .tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 }))
      .filter(([zh, en]) => zh !== en);

    fc.assert(
      fc.property(weights, fc.boolean(), ([zh, en], isFirst) => {
        const ranges = [`zh-CN;q=${zh / 1000}`, `en;q=${en / 1000}`];

        const locale = negotiateLocale({
          'accept-language': (isFirst ? ranges : ranges.reverse()).join(),
        });

        expect(locale).toBe(zh > en ? 'zh_CN' : 'en');
      }),
    );
  });
});
