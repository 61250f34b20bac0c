import { describe, expect, test } from '@jest/globals';
import { checkSvg } from '#shared/storage/checks/check-svg.ts';
import { ContentFault } from '#shared/storage/checks/content.ts';

describe('checkSvg', () => {
  test.each([
    ['nesting', '<g>'.repeat(200_000)],
    ['attributes', `<g ${Array.from({ length: 60_000 }, (_, index) => `a${index}="b"`).join(' ')}/>`],
    ['url(', `<style>${'url(#'.repeat(200_000)}</style>`],
    ['references', `<style>${'url( '.repeat(200_000)}</style>`],
    ['escapes', `<g style="${'\\'.repeat(1_000_000)}"/>`],
    ['spaces', `<g style="url(${' '.repeat(1_000_000)}"/>`],
    ['quotes', `<style>${'url("#a'.repeat(150_000)}</style>`],
    ['a long link', `<a href="data:image/png;base64,${'A'.repeat(1_000_000)}!"/>`],
    ['a comment', `<!--${'- '.repeat(500_000)}`],
    ['entities', '&amp;'.repeat(200_000)],
    ['a doctype', `${'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG '.padEnd(1_000_000, ' ')}`],
  ])('ends in time on 1 MB of %s', (_, hostile) => {
    const text = hostile.startsWith('<!DOCTYPE')
      ? hostile
      : `<svg xmlns="http://www.w3.org/2000/svg">${hostile}</svg>`;
    const start = performance.now();

    try {
      checkSvg(Buffer.from(text));
    } catch (error) {
      expect(error).toBeInstanceOf(ContentFault);
    }

    expect(performance.now() - start).toBeLessThan(5000);
  });
});
