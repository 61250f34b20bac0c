import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contrast, mix, themes, toReadableShade } from '#console/base/look/shades.ts';

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe.each(['light', 'dark'] as const)('the shade of a brand in the %s theme', (theme) => {
  const { text, tint, shade, surfaces } = themes[theme];

  test('is easy to read for every colour: on all surfaces, under text, and while it is pressed', () => {
    fc.assert(
      fc.property(colour, (given) => {
        const found = toReadableShade(given, theme);

        const pairs = [
          [text, found],
          [text, mix(found, shade, 20)],
          [found, mix(found, tint, 90)],
          ...[found, mix(found, shade, 20)].flatMap((each) => surfaces.map((surface) => [each, surface])),
        ];
        expect(pairs.filter(([a = '', b = '']) => contrast(a, b) < 4.5)).toEqual([]);
      }),
      { numRuns: 2000, examples: [['#000000'], ['#ffffff'], ['#ffff00'], ['#808080']] },
    );
  });

  test('is the colour itself if that is easy to read', () => {
    fc.assert(
      fc.property(colour, (given) => {
        const found = toReadableShade(given, theme);
        expect(toReadableShade(found, theme)).toBe(found);
      }),
    );
    expect(toReadableShade(theme === 'light' ? '#2f5fd7' : '#7ea6ff', theme)).toBe(
      theme === 'light' ? '#2f5fd7' : '#7ea6ff',
    );
  });

  test('stands on the surfaces of the style sheet', () => {
    const css = readFileSync('console/shell/styles/colours.css', 'utf8');
    const [light = '', dark = ''] = css.split('html.dark {');
    const own = theme === 'light' ? light : dark.split('}')[0];
    for (const each of [tint, ...surfaces]) expect(own).toContain(each);
  });
});

test.each([
  ['#ffffff', '#000000', 21],
  ['#777777', '#ffffff', 4.48],
  ['#2f5fd7', '#2f5fd7', 1],
])('the contrast of %s and %s is %d', (first, second, expected) => {
  expect(contrast(first, second)).toBeCloseTo(expected, 2);
  expect(contrast(second, first)).toBeCloseTo(expected, 2);
});
