import { fromParse5 } from 'hast-util-from-parse5';
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize';
import { toParse5 } from 'hast-util-to-parse5';
import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as html5,
  parseFragment,
  serialize,
} from 'parse5';
import { find, html as htmlNames } from 'property-information';
import { listTags } from './list-links.ts';
import {
  commonAttributes,
  linkSchemes,
  mediaSchemes,
  richTextElements,
  safeStyle,
} from './rich-text-list.ts';

/**
 * Most elements for each tag of a text, and their deepest nesting. Without limits, a short text could cost minutes: a
 * parser repeats unclosed elements in each paragraph. `elements` are allowed in any text.
 */
export const structureLimits = { elements: 20_000, elementsPerTag: 2, levels: 256 };

const toProperty = (attribute: string): string => find(htmlNames, attribute).property;

const schema: Schema = {
  tagNames: Object.keys(richTextElements),
  attributes: {
    ...Object.fromEntries(
      Object.entries(richTextElements).map(([element, names]) => [element, names.map(toProperty)]),
    ),
    '*': [...commonAttributes.map(toProperty), 'data*', ['style', safeStyle]],
  },
  protocols: {
    href: [...linkSchemes],
    cite: [...linkSchemes],
    src: [...mediaSchemes],
    poster: [...mediaSchemes],
  },
  ancestors: defaultSchema.ancestors,
  // Other elements that are not allowed are replaced by their content.
  strip: [
    'embed',
    'iframe',
    'math',
    'noembed',
    'noframes',
    'noscript',
    'object',
    'option',
    'plaintext',
    'script',
    'select',
    'style',
    'svg',
    'template',
    'textarea',
    'title',
    'xmp',
  ],
};

type Element = DefaultTreeAdapterTypes.Element;
type Tree = ReturnType<typeof fromParse5>;

/**
 * Removes from rich text what is not on the allow-list (`rich-text-list.ts`), as a browser reads it.
 *
 * @returns the text byte for byte if all of it is allowed; undefined if it is above {@link structureLimits}
 */
export function sanitizeHtml(html: string): string | undefined {
  const fragment = parse(html);
  if (!fragment) return undefined;
  const tree = fromParse5(fragment);
  const allowed = sanitize(tree, schema);
  return write(allowed) === write(tree) && hasSafeTags(html) ? html : write(allowed);
}

function write(tree: Tree): string {
  const node = toParse5(tree);
  return 'childNodes' in node ? serialize(node) : '';
}

/**
 * Whether every tag of the source is allowed, also those that a parser drops: another page may keep them. Examples are
 * `<body onload>` after the body of a page, and a tag that the text does not close.
 */
function hasSafeTags(html: string): boolean {
  const { start, end, isCut } = listTags(html);
  if (isCut || !end.every(({ tagName }) => Object.hasOwn(richTextElements, tagName))) return false;
  const childNodes = start.map(({ tagName, attrs }) => toElement(tagName, attrs));
  const tags = fromParse5({ nodeName: '#document-fragment', childNodes });
  return write(sanitize(tags, { ...schema, ancestors: {} })) === write(tags);
}

const toElement = (tagName: string, attrs: Element['attrs']): Element => ({
  nodeName: tagName,
  tagName,
  attrs,
  namespaceURI: html5.NS.HTML,
  childNodes: [],
  parentNode: null,
});

/** Whether the structure of a text is above {@link structureLimits}. */
export const isTooComplex = (html: string): boolean => parse(html) === undefined;

/** Parses a text; undefined if it is above {@link structureLimits}. */
function parse(html: string): DefaultTreeAdapterTypes.DocumentFragment | undefined {
  const tooMany = new Error('too many elements');
  const most = Math.max(structureLimits.elements, countTags(html) * structureLimits.elementsPerTag);
  // The parser makes three elements for its own use first.
  let count = -3;
  const createElement: typeof defaultTreeAdapter.createElement = (...given) => {
    count += 1;
    if (count > most) throw tooMany;
    return defaultTreeAdapter.createElement(...given);
  };
  try {
    const fragment = parseFragment(html, {
      treeAdapter: { ...defaultTreeAdapter, createElement, detachNode },
    });
    return isTooDeep(fragment) ? undefined : fragment;
  } catch (error) {
    if (error === tooMany) return undefined;
    throw error;
  }
}

/** The most tags that a text can hold. */
function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) count += 1;
  return count;
}

/** Detaches a last child without a search: the parser moves all nodes of a text so, and would take quadratic time. */
const detachNode: typeof defaultTreeAdapter.detachNode = (node) => {
  if (node.parentNode?.childNodes.at(-1) !== node) return defaultTreeAdapter.detachNode(node);
  node.parentNode.childNodes.pop();
  node.parentNode = null;
};

/** Counts levels without recursion, which a text could exhaust. */
function isTooDeep(fragment: DefaultTreeAdapterTypes.ParentNode): boolean {
  let level: DefaultTreeAdapterTypes.ParentNode[] = [fragment];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > structureLimits.levels) return true;
    level = level.flatMap(({ childNodes }) => childNodes.filter((node) => 'childNodes' in node));
  }
  return false;
}
