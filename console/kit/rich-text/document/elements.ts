import type { DefaultTreeAdapterTypes } from 'parse5';

// Which part of the editor's document holds each element that the service keeps. Their names are those of Tiptap, and
// of the elements themselves for all others.

/** Attributes of an element in the order of the text. */
export type Attributes = Readonly<Record<string, string>>;

/** A node of the document, as ProseMirror writes it. */
export interface DocumentNode {
  type: string;
  attrs?: Record<string, unknown>;
  content?: DocumentNode[];
  marks?: DocumentMark[];
  text?: string;
}
export interface DocumentMark {
  type: string;
  attrs?: Record<string, unknown>;
}

/** Elements that contain blocks, with the content that each takes. */
export const containers: Readonly<Record<string, string>> = {
  div: 'block+',
  section: 'block+',
  center: 'block+',
  figure: '(block | figcaption)+',
  figcaption: 'block+',
  details: 'summary? block+',
  summary: 'block+',
  dl: '(dt | dd)+',
  dt: 'block+',
  dd: 'block+',
};
/** Containers that stand in one other container only. */
export const innerContainers: Readonly<Record<string, string>> = {
  figcaption: 'figure',
  summary: 'details',
  dt: 'dl',
  dd: 'dl',
};

/** Nodes by element, beside {@link containers}, headings and parts of tables. */
export const nodes: Readonly<Record<string, string>> = {
  p: 'paragraph',
  blockquote: 'blockquote',
  ul: 'bulletList',
  ol: 'orderedList',
  li: 'listItem',
  hr: 'horizontalRule',
  pre: 'pre',
  table: 'table',
};
/** Elements within a text that contain none. `media` keeps its element as it is. */
export const leaves: Readonly<Record<string, string>> = {
  br: 'hardBreak',
  wbr: 'wbr',
  img: 'image',
  picture: 'media',
  audio: 'media',
  video: 'media',
};

/** Marks that the editor offers as tools, with the elements of each; a new mark is the first. */
export const markElements: Readonly<Record<string, readonly string[]>> = {
  link: ['a'],
  bold: ['strong', 'b'],
  italic: ['em', 'i'],
  strike: ['s', 'strike'],
  underline: ['u'],
};
/** Other marks, each named as its element, from the outer to the inner. */
export const plainMarks =
  'ruby rp rt ins del span font q cite dfn abbr time bdi bdo big small mark sub sup samp kbd var tt code'.split(
    ' ',
  );
/** All marks from the outer to the inner: the order of the editor's schema. */
export const markOrder = ['link', ...plainMarks, 'bold', 'italic', 'strike', 'underline'];
/** Marks of which one text may have several. */
export const repeatedMarks = ['span', 'font'];

/** Attributes that a node or mark has under their own names; all others are in its `html`. */
export const ownAttributes: Readonly<Record<string, readonly string[]>> = {
  link: ['href', 'target', 'rel', 'class', 'title'],
  image: ['src', 'alt', 'title', 'width', 'height'],
  orderedList: ['start', 'type'],
  tableCell: ['colspan', 'rowspan'],
  tableHeader: ['colspan', 'rowspan'],
};
/** Own attributes that are numbers; each begins with 1. */
const numbers = ['start', 'colspan', 'rowspan'];

const marksByElement = new Map([
  ...Object.entries(markElements).flatMap(([mark, elements]) =>
    elements.map((each) => [each, mark] as const),
  ),
  ...plainMarks.map((element) => [element, element] as const),
]);
/** The mark of an element; undefined if it is a node. */
export const markOf = (element: string): string | undefined => marksByElement.get(element);

/** Splits attributes into those of a node or mark, and its `html`. */
function splitAttributes(type: string, attributes: Attributes): Record<string, unknown> {
  const own = ownAttributes[type] ?? [];
  const attrs: Record<string, unknown> = {};
  const rest: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const number = Number(value);
    if (!own.includes(name)) rest[name] = value;
    else if (!numbers.includes(name)) attrs[name] = value;
    // Another number is not one for the browser either.
    else if (Number.isInteger(number) && number > 0) attrs[name] = number;
  }
  return Object.keys(rest).length > 0 ? { ...attrs, html: rest } : attrs;
}

/** The attributes of the element that {@link splitAttributes} has split. */
export function joinAttributes(type: string, attrs: Record<string, unknown> = {}): Attributes {
  const own = (ownAttributes[type] ?? []).flatMap((name) => {
    const value = attrs[name];
    const isUsual = value === null || value === undefined || (numbers.includes(name) && value === 1);
    return isUsual ? [] : [[name, String(value)] as const];
  });
  return { ...Object.fromEntries(own), ...readMap(attrs.html) };
}

export const readMap = (value: unknown): Attributes =>
  Object.fromEntries(Object.entries(Object(value)).map(([name, each]) => [name, String(each)]));

/** Attributes of an element by name. */
export const attributesOf = ({ attrs }: DefaultTreeAdapterTypes.Element): Attributes =>
  Object.fromEntries(attrs.map(({ name, value }) => [name, value]));

/** A node of an element's type with its attributes. */
export function createNode(
  type: string,
  element: DefaultTreeAdapterTypes.Element,
  more: object = {},
): DocumentNode {
  const attrs = { ...splitAttributes(type, attributesOf(element)), ...more };
  return Object.keys(attrs).length > 0 ? { type, attrs } : { type };
}

/** Whether two marks are the same. */
export const isSame = (one: DocumentMark, other?: DocumentMark): boolean =>
  other !== undefined &&
  JSON.stringify([one.type, one.attrs ?? {}]) === JSON.stringify([other.type, other.attrs ?? {}]);
