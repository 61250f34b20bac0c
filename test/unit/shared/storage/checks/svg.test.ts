import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkSvg } from '#shared/storage/checks/check-svg.ts';
import { ContentFault } from '#shared/storage/checks/content.ts';
import { brokenSvgs } from '../../../../fixtures/hostile/broken-svgs.ts';
import { activeSvgs, harmlessSvgs } from '../../../../fixtures/hostile/svgs.ts';
import { catchFault } from './catch-refusal.ts';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const encodings: Record<string, (text: string) => Buffer> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-16 LE': utf16,
  'UTF-16 BE': (text) => utf16(text).swap16(),
};

describe('checkSvg', () => {
  test.each(Object.entries(harmlessSvgs))('lets a drawing with %s pass', (_, text) => {
    expect(() => checkSvg(Buffer.from(text))).not.toThrow();
  });

  describe.each(Object.entries(encodings))('in %s', (_, encode) => {
    test.each(activeSvgs)('refuses %s: %s', async (found, text) => {
      const { fault, params } = await catchFault(() => checkSvg(encode(text)));

      expect(fault).toBe('active_content');
      expect(params).toEqual({ found });
    });
  });

  test.each(Object.entries(brokenSvgs))('refuses %s as not an SVG', async (_, given) => {
    expect(await catchFault(() => checkSvg(Buffer.from(given)))).toMatchObject({
      fault: 'content_mismatch',
    });
  });

  test.each([
    ['iso-8859-1', 'e9'],
    ['GB2312', 'd6d0'],
    ['gbk', 'd6d0'],
    ['gb18030', '81308130'],
    ['us-ascii', ''],
  ])('reads a declared %s', async (encoding, text) => {
    const build = (inner: string) =>
      Buffer.concat([
        Buffer.from(
          `<?xml version='1.0' encoding='${encoding}'?><svg xmlns="http://www.w3.org/2000/svg"><title>`,
        ),
        Buffer.from(text, 'hex'),
        Buffer.from(`</title>${inner}</svg>`),
      ]);

    expect(() => checkSvg(build(''))).not.toThrow();
    expect(await catchFault(() => checkSvg(build('<script/>')))).toMatchObject({
      fault: 'active_content',
    });
  });

  test('shortens what it found', async () => {
    const name = `on${'a'.repeat(500)}`;
    const text = `<svg xmlns="http://www.w3.org/2000/svg" ${name}=""/>`;

    const { params } = await catchFault(() => checkSvg(Buffer.from(text)));

    expect(params).toEqual({ found: name.slice(0, 40) });
  });

  test('finds active markup across decoded pieces', async () => {
    for (let shift = 0; shift < 12; shift += 1) {
      const open = '<svg xmlns="http://www.w3.org/2000/svg"><!--';
      const filler = '中'.repeat(21_000).padEnd(65_536 - open.length - 2 * 21_000 - 3 - shift, 'a');
      const text = `${open}${filler}--><script/></svg>`;

      expect(await catchFault(() => checkSvg(Buffer.from(text)))).toMatchObject({
        params: { found: '<script>' },
      });
    }
  });

  test('reads characters across decoded pieces', () => {
    for (const shift of ['', 'a', 'aa']) {
      const text = `<svg xmlns="http://www.w3.org/2000/svg"><!--${shift}${'中'.repeat(50_000)}--></svg>`;

      expect(() => checkSvg(Buffer.from(text))).not.toThrow();
    }
  });

  test('finds a handler in every place and spelling', () => {
    const name = fc.constantFrom('onload', 'onClick', 'ONERROR', 'x:onfocus', 'onanything');
    const depth = fc.nat(20);
    const space = fc.constantFrom(' ', '\n', '\t\r\n  ');
    fc.assert(
      fc.property(name, depth, space, fc.constantFrom('"', "'"), (handler, levels, gap, quote) => {
        const text = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="urn:x">${'<g>'.repeat(levels)}<path${gap}${handler}${gap}=${gap}${quote}a${quote}/>${'</g>'.repeat(levels)}</svg>`;
        expect(() => checkSvg(Buffer.from(text))).toThrow('active_content');
      }),
    );
  });

  test('accepts only links to fragments and raster pictures', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (link) => {
        const escaped = link.replace(/[&<"]/g, (character) => `&#${character.charCodeAt(0)};`);
        const text = `<svg xmlns="http://www.w3.org/2000/svg"><a href="${escaped}"/></svg>`;
        const base = 'https://site.example/a.svg';
        const url = URL.canParse(link, base) ? new URL(link, base).href.replace(/#.*$/s, '') : undefined;
        if (url === base) return;
        expect(() => checkSvg(Buffer.from(text))).toThrow(ContentFault);
      }),
    );
  });
});
