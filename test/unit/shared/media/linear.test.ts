import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { toPublicHtml, toStoredHtml } from '#shared/media/media-html.ts';

const site = { publicUrl: 'https://site.example', aliases: ['https://old.example'] };

/** Texts that take quadratic time if a part is read again and again; each is repeated. */
const shapes: [title: string, create: (times: number) => string][] = [
  ['links', (times) => '<p>text</p><img src="storage/a">'.repeat(times)],
  ['links to shorten', (times) => '<a href=https://old.example/storage/a>'.repeat(times)],
  [
    'attributes of one tag',
    (times) => `<a ${Array.from({ length: times }, (_, place) => `a${place}=b`).join(' ')} href=storage/a>`,
  ],
  ['duplicate attributes', (times) => `<a ${'href=storage/a '.repeat(times)}>`],
  ['opened tags', (times) => '<'.repeat(times) + '<a href="'.repeat(times)],
  ['opened comments', (times) => '<!-- <!'.repeat(times)],
  ['opened CDATA', (times) => `<svg>${'<![CDATA[ ]'.repeat(times)}`],
  ['opened scripts', (times) => '<script><!--<script </scrip'.repeat(times)],
  ['elements in elements', (times) => '<div><b>'.repeat(times)],
  [
    'SVG in SVG',
    (times) => `${'<svg><desc>'.repeat(times)}${'</math></title>'.repeat(times)}${'</svg>'.repeat(times)}`,
  ],
  ['references before a link', (times) => `<a href="${'&#32;'.repeat(times)}https://old.example/storage/a">`],
  ['references in a link', (times) => `<a href="storage/${'&amp;&not&#x2f'.repeat(times)}">`],
  ['white space in a link', (times) => `<a href="storage/${' '.repeat(times)}a">`],
  [
    'slashes and dots in a link',
    (times) => `<a href="https://old.example/storage/${'/.%2f'.repeat(times)}">`,
  ],
  ['white space in a tag', (times) => `<a href${' '.repeat(times)}=${' '.repeat(times)}storage/a>`],
  ['hosts', (times) => `<a href="//${'a'.repeat(times)}/storage/a">`],
];

afterEach(() => {
  jest.restoreAllMocks();
});

/** Counts the characters that a conversion reads and copies. */
function countWork(convert: () => unknown): number {
  let work = 0;
  const { charCodeAt, slice } = String.prototype;
  const { exec } = RegExp.prototype;
  jest.spyOn(String.prototype, 'charCodeAt').mockImplementation(function (this: string, at) {
    work++;
    return charCodeAt.call(this, at ?? 0);
  });
  jest.spyOn(String.prototype, 'slice').mockImplementation(function (this: string, start, end) {
    const part = slice.call(this, start, end);
    work += part.length;
    return part;
  });
  jest.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    const found = exec.call(this, text);
    work += 1 + (found?.[0].length ?? 0);
    return found;
  });
  convert();
  jest.restoreAllMocks();
  return work;
}

describe('the work on rich text', () => {
  test.each(shapes)('grows linearly with its size: %s', (_title, create) => {
    const [small, large] = [create(200), create(2000)];
    for (const convert of [toPublicHtml, toStoredHtml]) {
      const before = countWork(() => convert(small, site)) / small.length;
      const after = countWork(() => convert(large, site)) / large.length;

      expect(after).toBeLessThan(before * 1.2);
    }
  });
});
