import { type DefaultTreeAdapterTypes, parseFragment, serializeOuter } from 'parse5';
import {
  attributesOf,
  containers,
  createNode,
  type DocumentMark,
  type DocumentNode,
  innerContainers,
  isSame,
  leaves,
  markElements,
  markOf,
  markOrder,
  nodes,
  repeatedMarks,
} from './elements.ts';
import { readTable } from './read-table.ts';
import { collapseSpaces, joinTexts } from './spaces.ts';

type Child = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/**
 * The document of a text that the service keeps (`shared/media/rich-text-list.ts`). All of it is in the document:
 * the content of unknown elements stands in their container. It does not use the browser's parser, which
 * reports styles to the console's policy.
 */
export const readHtml = (html: string): DocumentNode => ({
  type: 'doc',
  content: orEmpty(readBlocks(parseFragment(html).childNodes)),
});

const emptyText = (): DocumentNode => ({ type: 'paragraph', attrs: { bare: true } });
const orEmpty = (blocks: DocumentNode[]): DocumentNode[] => (blocks.length > 0 ? blocks : [emptyText()]);

const isElement = (node: Child): node is Element => 'tagName' in node;
const isHeading = (name: string) => /^h[1-6]$/.test(name);
const isBlock = (name: string): boolean =>
  name in nodes || name in containers || isHeading(name) || /^(caption|t(body|foot|head|r|d|h))$/.test(name);
const hasBlocks = (element: Element): boolean =>
  element.childNodes.some((child) => isElement(child) && (isBlock(child.tagName) || hasBlocks(child)));

/** The blocks of a container, `place`. Text that stands in it directly becomes a paragraph without an element. */
function readBlocks(
  children: readonly Child[],
  marks: readonly DocumentMark[] = [],
  place = '',
): DocumentNode[] {
  const blocks: DocumentNode[] = [];
  let text: DocumentNode[] = [];
  const endText = () => {
    const content = collapseSpaces(text);
    if (content.length > 0) blocks.push({ ...emptyText(), content });
    text = [];
  };
  const visit = (child: Child, around: readonly DocumentMark[]): void => {
    if (!isElement(child) || (!isBlock(child.tagName) && !hasBlocks(child)))
      return void text.push(...readText([child], around));
    if (!isBlock(child.tagName)) {
      for (const each of child.childNodes) visit(each, withMark(around, child));
      return;
    }
    endText();
    blocks.push(...readBlock(child, around, place));
  };
  for (const child of children) visit(child, marks);
  endText();
  return blocks;
}

const readers: Readonly<
  Record<string, (element: Element, marks: readonly DocumentMark[]) => DocumentNode[]>
> = {
  hr: (element) => [createNode('horizontalRule', element)],
  pre: (element, marks) => [readPre(element, marks)],
  table: (element, marks) => readTable(element, (cell) => readBlocks(cell.childNodes, marks)),
  ul: (element, marks) => readList('bulletList', element, marks),
  ol: (element, marks) => readList('orderedList', element, marks),
  dl: readDefinitions,
  details(element, marks) {
    const content = readBlocks(element.childNodes, marks, 'details');
    const summary = content.findIndex(({ type }) => type === 'summary');
    const first = summary < 0 ? [] : content.slice(summary, summary + 1);
    // Only the first is one for a browser.
    const rest = content.flatMap((node, index) => {
      if (index === summary) return [];
      return node.type === 'summary' ? (node.content ?? []) : [node];
    });
    return [{ ...createNode('details', element), content: [...first, ...orEmpty(rest)] }];
  },
};

function readBlock(element: Element, marks: readonly DocumentMark[], place: string): DocumentNode[] {
  const { tagName, childNodes } = element;
  const read = readers[tagName];
  if (read) return read(element, marks);
  if (tagName === 'p' || isHeading(tagName)) {
    const level = tagName === 'p' ? {} : { level: Number(tagName.at(1)) };
    const content = collapseSpaces(readText(childNodes, marks));
    const node = createNode(tagName === 'p' ? 'paragraph' : 'heading', element, level);
    return [content.length > 0 ? { ...node, content } : node];
  }
  const content = readBlocks(childNodes, marks, tagName);
  const isKnown = tagName in containers || tagName === 'blockquote';
  if (!isKnown || (innerContainers[tagName] ?? place) !== place) return content;
  return [{ ...createNode(tagName, element), content: orEmpty(content) }];
}

/** What is in a list but in no item belongs to the item before. */
function readList(type: string, element: Element, marks: readonly DocumentMark[]): DocumentNode[] {
  const items: DocumentNode[] = [];
  for (const child of element.childNodes) {
    const isItem = isElement(child) && child.tagName === 'li';
    const blocks = readBlocks(isItem ? child.childNodes : [child], marks);
    const last = items.at(-1);
    if (isItem) items.push({ ...createNode('listItem', child), content: beginWithText(blocks) });
    else if (last) last.content?.push(...blocks);
    else if (blocks.length > 0) items.push({ type: 'listItem', content: beginWithText(blocks) });
  }
  return items.length > 0 ? [{ ...createNode(type, element), content: items }] : [];
}

/** An item of a list begins with a paragraph, which may be empty. */
const beginWithText = (blocks: DocumentNode[]): DocumentNode[] =>
  blocks[0]?.type === 'paragraph' ? blocks : [emptyText(), ...blocks];

/** Groups (`<div>`) of terms are opened. */
function readDefinitions(element: Element, marks: readonly DocumentMark[]): DocumentNode[] {
  const read = ({ childNodes }: Element): DocumentNode[] =>
    childNodes.flatMap((child): DocumentNode[] => {
      if (isElement(child) && child.tagName === 'div') return read(child);
      return readBlocks([child], marks, 'dl').map((block) =>
        /^d[dt]$/.test(block.type) ? block : { type: 'dd', content: [block] },
      );
    });
  const content = read(element);
  return content.length > 0 ? [{ ...createNode('dl', element), content }] : [];
}

/** A text in `<code>` only is a block of code; with other marks it is preformatted text. */
function readPre(element: Element, marks: readonly DocumentMark[]): DocumentNode {
  const [only, ...others] = element.childNodes;
  const code = only && isElement(only) && only.tagName === 'code' && others.length === 0 ? only : undefined;
  const { childNodes } = code ?? element;
  const isPlain = marks.length === 0 && childNodes.every((child) => !isElement(child));
  const type = isPlain ? 'codeBlock' : 'pre';
  const more = isPlain ? { code: code ? attributesOf(code) : null } : {};
  const content = joinTexts(readText(isPlain ? childNodes : element.childNodes, marks));
  const node = createNode(type, element, more);
  return content.length > 0 ? { ...node, content } : node;
}

/** What stands in a text: text with its marks, pictures, breaks. */
function readText(children: readonly Child[], marks: readonly DocumentMark[]): DocumentNode[] {
  return children.flatMap((child): DocumentNode[] => {
    const given = marks.length > 0 ? { marks: [...marks] } : {};
    if ('value' in child) return child.value === '' ? [] : [{ type: 'text', text: child.value, ...given }];
    if (!isElement(child)) return [];
    const leaf = leaves[child.tagName];
    if (leaf === 'media') return [{ type: leaf, attrs: { element: serializeOuter(child) }, ...given }];
    if (leaf) return [{ ...createNode(leaf, child), ...given }];
    return readText(child.childNodes, withMark(marks, child));
  });
}

/** Adds the mark of an element, in place of one of the same type if only one may be there. */
function withMark(marks: readonly DocumentMark[], element: Element): readonly DocumentMark[] {
  const type = markOf(element.tagName);
  if (!type) return marks;
  const tag = markElements[type] && type !== 'link' ? { tag: element.tagName } : {};
  const mark = createNode(type, element, tag);
  const others = repeatedMarks.includes(type) ? marks : marks.filter((each) => each.type !== type);
  return [...others.filter((each) => !isSame(each, mark)), mark].sort(
    (one, other) => markOrder.indexOf(one.type) - markOrder.indexOf(other.type),
  );
}
