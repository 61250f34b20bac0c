import { type DefaultTreeAdapterTypes, serializeOuter } from 'parse5';
import { type Attributes, attributesOf, createNode, type DocumentNode } from './elements.ts';

type Element = DefaultTreeAdapterTypes.Element;
type ReadContent = (element: Element) => DocumentNode[];

/** A table holds rows only: their sections are attributes of them, its columns are kept as they are. */
export function readTable(element: Element, readContent: ReadContent): DocumentNode[] {
  const parts = listElements(element);
  const captions = parts.filter(({ tagName }) => tagName === 'caption');
  const columns = parts.filter(({ tagName }) => tagName === 'colgroup').map((each) => serializeOuter(each));
  const sections: Record<string, Attributes> = {};
  const rows = parts.flatMap((part) => {
    if (!/^t(body|foot|head)$/.test(part.tagName)) return [];
    if (part.attrs.length > 0) sections[part.tagName] = attributesOf(part);
    return listElements(part).map((row) => readRow(row, part.tagName, readContent));
  });
  const filled = rows.filter(({ content }) => content && content.length > 0);
  const rest = captions.flatMap(readContent);
  if (filled.length === 0) return rest;
  const more = {
    ...(columns.length > 0 && { columns: columns.join('') }),
    ...(Object.keys(sections).length > 0 && { sections }),
  };
  const table: DocumentNode = { ...createNode('table', element, more), content: filled };
  const [caption] = captions;
  if (!caption) return [table];
  const title = { ...createNode('tableCaption', caption), content: rest.length > 0 ? rest : emptyBlocks() };
  return [{ type: 'captionedTable', content: [title, table] }];
}

const listElements = ({ childNodes }: Element): Element[] =>
  childNodes.filter((child): child is Element => 'tagName' in child);
const emptyBlocks = (): DocumentNode[] => [{ type: 'paragraph', attrs: { bare: true } }];

function readRow(row: Element, section: string, readContent: ReadContent): DocumentNode {
  const content = listElements(row).map((cell): DocumentNode => {
    const blocks = readContent(cell);
    const type = cell.tagName === 'th' ? 'tableHeader' : 'tableCell';
    return { ...createNode(type, cell), content: blocks.length > 0 ? blocks : emptyBlocks() };
  });
  return { ...createNode('tableRow', row, section === 'tbody' ? {} : { section }), content };
}
