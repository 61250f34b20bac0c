import { isInnerReference } from './references.ts';

const escaped = /\\(?:([\da-f]{1,6})[\t\n\f\r ]?|(.))/gis;
const fetching = /@import|(?:image-set|image|src|cross-fade|element|paint|expression)\(/;
// The argument of url() where it has no escapes, quoted or not.
const argument = /\s*(?:"([^"\\]*)"|'([^'\\]*)'|([^"'()\\\s]+))\s*\)/y;

/**
 * The first piece of CSS that fetches or runs something from outside the file, undefined where there is none.
 *
 * Comments and strings are not told apart from rules: what looks like a reference counts as one.
 *
 * @param css a style sheet, a `style` attribute or a presentation attribute
 */
export function findActiveCss(css: string): string | undefined {
  const plain = resolveEscapes(css).toLowerCase();
  const found = fetching.exec(plain)?.[0];
  if (found) return found;
  const starts = [...css.matchAll(/url\(/gi)];
  // More of them without the escapes: one was hidden by them.
  if (plain.split('url(').length - 1 !== starts.length) return 'url(';
  return starts.every(({ index }) => isInnerUrl(css, index + 'url('.length)) ? undefined : 'url(';
}

function isInnerUrl(css: string, start: number): boolean {
  argument.lastIndex = start;
  const match = argument.exec(css);
  return match !== null && isInnerReference(match[1] ?? match[2] ?? match[3] ?? '');
}

function resolveEscapes(css: string): string {
  return css.replace(escaped, (_, hex?: string, other?: string) => {
    if (hex === undefined) return other ?? '';
    const code = Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}
