import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as html5,
  parseFragment,
  serialize,
} from 'parse5';
import {
  type Attributes,
  type DocumentMark,
  type DocumentNode,
  isSame,
  joinAttributes,
  leaves,
  markElements,
  nodes,
  readMap,
} from './elements.ts';

type Parent = DefaultTreeAdapterTypes.ParentNode;
const { appendChild, createDocumentFragment, createElement, insertText } = defaultTreeAdapter;

const names = new Map(
  Object.entries({ ...nodes, br: leaves.br ?? '', wbr: 'wbr', img: 'image' }).map(([element, type]) => [
    type,
    element,
  ]),
);

/** The HTML of a document, as the service keeps it. It is read again by `readHtml`. */
export function writeHtml(document: DocumentNode): string {
  const fragment = createDocumentFragment();
  const { content = [] } = document;
  // The editor ends every text with a paragraph, where one can go on.
  const last = content.findLastIndex((block) => !isEmpty(block));
  writeAll(content.slice(0, last + 1), fragment);
  return serialize(fragment);
}

function open(parent: Parent, name: string, attributes: Attributes = {}): DefaultTreeAdapterTypes.Element {
  const attrs = Object.entries(attributes).map(([attribute, value]) => ({ name: attribute, value }));
  const element = createElement(name, html5.NS.HTML, attrs);
  appendChild(parent, element);
  return element;
}

function writeAll(blocks: readonly DocumentNode[] = [], parent: Parent): void {
  for (const [index, block] of blocks.entries()) {
    const isAlone = !isBare(blocks[index - 1]) && !isBare(blocks[index + 1]);
    if (isBare(block) && isAlone) writeText(block.content, parent);
    else writeBlock(block, parent);
  }
}

const isEmpty = ({ type, content = [], attrs }: DocumentNode): boolean =>
  type === 'paragraph' && content.length === 0 && Object.keys(Object(attrs?.html)).length === 0;
/** Whether a text stands in its container without an element. Two in a row would become one. */
const isBare = (node: DocumentNode | undefined): boolean => node?.attrs?.bare === true;

const writers: Readonly<Record<string, (node: DocumentNode, parent: Parent) => void>> = {
  table: writeTable,
  captionedTable({ content: [caption, table] = [] }, parent) {
    if (table) writeTable(table, parent, caption);
  },
  codeBlock({ attrs, content }, parent) {
    const pre = open(parent, 'pre', joinAttributes('codeBlock', attrs));
    writePre(content, attrs?.code === null ? pre : open(pre, 'code', readMap(attrs?.code)), pre);
  },
  pre({ attrs, content }, parent) {
    const pre = open(parent, 'pre', joinAttributes('pre', attrs));
    writePre(content, pre, pre);
  },
};

function writeBlock(node: DocumentNode, parent: Parent): void {
  (writers[node.type] ?? writeElement)(node, parent);
}

function writeElement(node: DocumentNode, parent: Parent): void {
  const { type, attrs, content } = node;
  const name = type === 'heading' ? `h${attrs?.level}` : (names.get(type) ?? type);
  const element = open(parent, name, joinAttributes(type, attrs));
  if (type === 'paragraph' || type === 'heading') writeText(content, element);
  else writeAll(content, element);
}

/** A parser removes a line break at the start of `<pre>`. */
function writePre(content: readonly DocumentNode[] = [], parent: Parent, pre: Parent): void {
  if (parent === pre && content[0]?.text?.startsWith('\n')) insertText(pre, '\n');
  writeText(content, parent);
}

function writeTable({ attrs, content = [] }: DocumentNode, parent: Parent, caption?: DocumentNode): void {
  const table = open(parent, 'table', joinAttributes('table', attrs));
  if (caption) writeBlock({ ...caption, type: 'caption' }, table);
  if (typeof attrs?.columns === 'string')
    for (const child of [...parseFragment(`<table>${attrs.columns}`).childNodes])
      if ('childNodes' in child) for (const group of [...child.childNodes]) appendChild(table, group);
  let section: DefaultTreeAdapterTypes.Element | undefined;
  for (const row of content) {
    const name = String(row.attrs?.section ?? 'tbody');
    if (section?.tagName !== name) section = open(table, name, readMap(Object(attrs?.sections)[name]));
    const element = open(section, 'tr', joinAttributes('tableRow', row.attrs));
    for (const cell of row.content ?? []) {
      const tag = cell.type === 'tableHeader' ? 'th' : 'td';
      writeAll(cell.content, open(element, tag, joinAttributes(cell.type, cell.attrs)));
    }
  }
}

/** Elements of marks stay open as long as the next text has the same. */
function writeText(content: readonly DocumentNode[] = [], parent: Parent): void {
  const opened: { mark: DocumentMark; element: Parent }[] = [];
  for (const node of content) {
    const marks = node.marks ?? [];
    const same = marks.findIndex((mark, index) => !isSame(mark, opened[index]?.mark));
    opened.length = same < 0 ? marks.length : same;
    for (const mark of marks.slice(opened.length)) {
      const inner = opened.at(-1)?.element ?? parent;
      opened.push({ mark, element: open(inner, elementOf(mark), joinAttributes(mark.type, mark.attrs)) });
    }
    writeLeaf(node, opened.at(-1)?.element ?? parent);
  }
}

function writeLeaf({ type, attrs, text }: DocumentNode, parent: Parent): void {
  // The place of a picture that is not uploaded yet.
  if (type === 'picturePlace') return;
  if (type === 'text') insertText(parent, text ?? '');
  else if (type !== 'media') open(parent, names.get(type) ?? type, joinAttributes(type, attrs));
  else for (const child of [...parseFragment(String(attrs?.element)).childNodes]) appendChild(parent, child);
}

const elementOf = ({ type, attrs }: DocumentMark): string =>
  String(attrs?.tag ?? markElements[type]?.[0] ?? type);
