/** Red, green and blue, 0 to 255. */
type Colour = readonly number[];

/** The colours that each theme's style sheet has (`shell/styles/colours.css`). */
export const themes = {
  light: {
    /** Text on the colour. */
    text: '#ffffff',
    /** Steps of the colour lie between it and this one. */
    tint: '#ffffff',
    shade: '#000000',
    /** What stands under text in the colour. */
    surfaces: ['#ffffff', '#f3f4f7', '#f0f2f5'],
  },
  dark: {
    text: '#10182b',
    tint: '#161a21',
    shade: '#ffffff',
    surfaces: ['#0e1116', '#161a21', '#1e232c', '#262d38'],
  },
} as const;

/** WCAG 2.2, 1.4.3, for text of any size. */
const leastContrast = 4.5;

/**
 * The shade of a colour that is nearest to it, and easy to read in a theme: as text, and under the text of a button. Light
 * colours get darker in the light theme, dark ones lighter in the dark theme.
 *
 * @param colour as `#2f5fd7`
 */
export function toReadableShade(colour: string, theme: keyof typeof themes): string {
  const { shade } = themes[theme];
  for (let percent = 0; percent < 100; percent++) {
    const mixed = mix(colour, shade, percent);
    if (isReadable(mixed, theme)) return mixed;
  }
  return shade;
}

function isReadable(colour: string, theme: keyof typeof themes): boolean {
  const { text, tint, surfaces } = themes[theme];
  // A chosen row of a menu or a table is a tenth of the colour.
  const others = [text, ...surfaces, mix(colour, tint, 90)];
  return others.every((other) => contrast(colour, other) >= leastContrast);
}

/** Two colours as `color-mix(in srgb, …)` mixes them. @param percent of the second */
export function mix(first: string, second: string, percent: number): string {
  const [a, b] = [parse(first), parse(second)];
  const parts = a.map((part, index) => Math.round(part + ((b[index] ?? 0) - part) * (percent / 100)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The contrast of two colours, 1 to 21, as WCAG 2.2 defines it. */
export function contrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [first, second]
    .map((each) => luminance(parse(each)))
    .sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const parse = (colour: string): Colour =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
