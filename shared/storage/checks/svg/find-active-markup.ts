import type { SaxesTagNS } from 'saxes';
import { findActiveCss } from './find-active-css.ts';
import { isInnerReference } from './references.ts';

type Attribute = SaxesTagNS['attributes'][string];

const namespaces = {
  xhtml: 'http://www.w3.org/1999/xhtml',
  events: 'http://www.w3.org/2001/xml-events',
  declarations: 'http://www.w3.org/2000/xmlns/',
};

// Whatever their namespace: a page that takes the file in as HTML knows no prefixes.
const activeElements = new Set([
  'applet',
  'audio',
  'base',
  'embed',
  'foreignobject',
  'form',
  'frame',
  'handler',
  'iframe',
  'link',
  'listener',
  'meta',
  'object',
  'script',
  'video',
]);
// With those of HTML, for who takes the file in as such.
const references = new Set([
  'action',
  'background',
  'base',
  'data',
  'formaction',
  'href',
  'longdesc',
  'manifest',
  'ping',
  'poster',
  'src',
  'srcset',
]);

/** The first thing about a start tag that could run or fetch something, undefined where there is none. */
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

/** Whether an animation changes a link or a handler, which no rule for the written value would see. */
function isActiveTarget(attributeName: string): boolean {
  const local = attributeName.trim().toLowerCase().split(':').at(-1) ?? '';
  return local.startsWith('on') || references.has(local);
}
