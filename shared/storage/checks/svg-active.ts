import type { SaxesTagNS } from 'saxes';

type Attribute = SaxesTagNS['attributes'][string];

const namespaces = {
  xhtml: 'http://www.w3.org/1999/xhtml',
  events: 'http://www.w3.org/2001/xml-events',
  declarations: 'http://www.w3.org/2000/xmlns/',
};

const toSet = (words: string) => new Set(words.split(' '));
// In any namespace: a page that embeds the file as HTML ignores prefixes.
const activeElements = toSet(
  'applet audio base embed foreignobject form frame handler iframe link listener meta object script video',
);
// HTML's attributes too, for pages that embed the file as HTML.
const references = toSet(
  'action background base data formaction href longdesc manifest ping poster src srcset',
);

/** Finds the first element or attribute of a start tag that could run or fetch something. */
export function findActiveMarkup({ name, local, uri, attributes }: SaxesTagNS): string | undefined {
  const isForeign = uri === namespaces.xhtml || uri === namespaces.events;
  if (isForeign || activeElements.has(local.toLowerCase())) return `<${name}>`;
  return Object.values(attributes).find(isActiveAttribute)?.name;
}

function isActiveAttribute({ local: given, uri, value }: Attribute): boolean {
  if (uri === namespaces.declarations) return false;
  const local = given.toLowerCase();
  if (uri === namespaces.events || local.startsWith('on')) return true;
  if (references.has(local)) return !isInnerReference(value);
  if (local === 'attributename') return isActiveTarget(value);
  return findActiveCss(value) !== undefined;
}

/** Whether an animation targets a link or a handler: it could set a value that is not checked. */
function isActiveTarget(attributeName: string): boolean {
  const local = attributeName.trim().toLowerCase().split(':').at(-1) ?? '';
  return local.startsWith('on') || references.has(local);
}

const escaped = /\\(?:([\da-f]{1,6})[\t\n\f\r ]?|(.))/gis;
const fetching = /@import|(?:image-set|image|src|cross-fade|element|paint|expression)\(/;
// The argument of url() without escapes, quoted or not.
const argument = /\s*(?:"([^"\\]*)"|'([^'\\]*)'|([^"'()\\\s]+))\s*\)/y;

/**
 * Finds the first piece of CSS that fetches or runs something from outside the file, also in a comment or a string.
 *
 * @param css a style sheet, a `style` attribute or a presentation attribute
 */
export function findActiveCss(css: string): string | undefined {
  const plain = resolveEscapes(css).toLowerCase();
  const found = fetching.exec(plain)?.[0];
  if (found) return found;
  const starts = [...css.matchAll(/url\(/gi)];
  // Escapes have hidden one.
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

const fragment = /^#[^\\]*$/;
const raster = /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,[a-z\d+/]*=*$/i;

/** Whether a link stays in the file: a fragment or an embedded raster picture. */
function isInnerReference(value: string): boolean {
  // Editors wrap long data; browsers remove the white space too.
  const link = value.replace(/[\t\n\r ]+/g, '');
  return link === '' || fragment.test(link) || raster.test(link);
}
