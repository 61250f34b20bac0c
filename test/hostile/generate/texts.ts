import fc from 'fast-check';
import { anyString } from '../../support/any-string.ts';

/** Texts that are often misread as something else. */
const notorious = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u001b[31mred',
  '\r\nset-cookie: a=b',
  '\ud800',
  'a\udc00b',
  '\ufeff',
  '\u202e\u2066abc',
  '\u0085\u2028\u2029',
  'e\u0301\u0301\u0301',
  '👩‍👩‍👧‍👦'.repeat(3),
  'ß'.repeat(70),
  'İ',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '$ref',
  '#',
  '%',
  '%00',
  '%2e%2e%2f',
  '../../../../etc/passwd',
  '..\\..\\windows',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-0',
  '1e999',
  '[object Object]',
  '{{7*7}}',
  '{name}',
  '$&$1$`',
  "' OR 1=1 --",
  '"; attribute_exists(pk)',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)><svg/onload=alert(1)>',
  '<p>'.repeat(300),
  '<!--',
  ']]>',
  '&#0;&#x110000;&lt',
  'javascript:alert(1)',
  'data:text/html,<b>',
  'http://[::1',
  'http://localhost:3000/storage/uploads/a',
  '//localhost:3000/storage/x',
  'storage/uploads/../../x',
  '2026-02-30T25:61:61Z',
  '0000-00-00',
  '+275760-09-13T00:00:00.001Z',
  '01JA4Q2M7Z3V8XK5T9R6W1C0BD',
  '7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
  'ZZZZZZZZZZZZZZZZZZZZZZZZZZ',
  '中文',
  '０１２',
  '(a+)+$',
  '*',
  '\\',
  '\\u0000',
  '`',
] as const;

/** A text that breaks things, or a long one. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...notorious) },
  { weight: 2, arbitrary: anyString({ maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom('\ud800', '\udfff', '\u0000', 'a', '"', '\\') }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('a', '中', '\u0000', ' ', '../', '<b>', '%'),
        fc.constantFrom(101, 513, 4097, 40_000),
      )
      .map(([unit, times]) => unit.repeat(times)),
  },
);

/** Names that every object inherits. */
export const hostileKey: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'length',
    'then',
    '',
  ),
  hostileText,
);

/** A text that fits a length, of words and of usual letters. */
export function fittingText(minLength = 0, maxLength = 60): fc.Arbitrary<string> {
  const most = Math.min(maxLength, Math.max(minLength, 60));
  const unit = fc.constantFrom('a', 'e', 'R', '7', ' ', '-', '中', '文', 'é', '😀');
  return fc.string({ unit, minLength, maxLength: Math.max(minLength, Math.floor(most / 2)) });
}
