import { type Element, read } from './tree.ts';

/** The `style` of an element by property, in lower case. */
export function readStyle(element: Element): Readonly<Record<string, string>> {
  const found = read(element, 'style').matchAll(/([\w-]+)\s*:\s*([^;]*)/g);
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => [name.toLowerCase(), value.trim().toLowerCase()]),
  );
}

/** Elements for what a style makes of a text, from the outer to the inner. */
export function marksOfStyle(style: Readonly<Record<string, string>>): string[] {
  const weight = style['font-weight'] ?? '';
  const line = `${style['text-decoration'] ?? ''} ${style['text-decoration-line'] ?? ''}`;
  const place = style['vertical-align'] ?? '';
  return [
    ...(/^bold|^[6-9]00/.test(weight) ? ['strong'] : []),
    ...(/italic|oblique/.test(style['font-style'] ?? '') ? ['em'] : []),
    ...(line.includes('underline') ? ['u'] : []),
    ...(line.includes('line-through') ? ['s'] : []),
    ...(place === 'sub' ? ['sub'] : []),
    ...(place.startsWith('super') ? ['sup'] : []),
  ];
}

export const isHidden = (element: Element, style = readStyle(element)): boolean =>
  style.display === 'none' ||
  style['mso-hide'] === 'all' ||
  style.visibility === 'hidden' ||
  element.attrs.some(({ name }) => name === 'hidden');

const plainColour =
  /^(auto|black|currentcolor|inherit|initial|windowtext|#000(000)?|rgba?\(0, ?0, ?0(, ?1)?\)|)$/;
const plainBackground =
  /^(auto|inherit|initial|none|transparent|white|#fff(fff)?|rgb\(255, ?255, ?255\)|rgba\(.*, ?0\)|)$/;

/** Whether a style has a colour that is more than black on white. */
export const isColoured = (style: Readonly<Record<string, string>>): boolean =>
  !plainColour.test(style.color ?? '') ||
  !plainBackground.test(style['background-color'] ?? style.background ?? style['mso-highlight'] ?? '');

/** Alignment that readers see: a text is at the start by itself. */
export function readAlignment(
  element: Element,
  style: Readonly<Record<string, string>>,
): Record<string, string> {
  const align = style['text-align'] || read(element, 'align').toLowerCase();
  return align === 'center' || align === 'right' ? { align } : {};
}
