import { type DocumentNode, isSame } from './elements.ts';

/** Collapses the white space of a text as a browser does, and removes it at its ends. */
export function collapseSpaces(content: readonly DocumentNode[]): DocumentNode[] {
  let isAfterSpace = true;
  const collapsed = content.map((node) => {
    if (node.text === undefined) {
      isAfterSpace = node.type === 'hardBreak';
      return node;
    }
    const all = node.text.replace(/[ \t\n\r\f]+/g, ' ');
    const text = isAfterSpace && all.startsWith(' ') ? all.slice(1) : all;
    if (text !== '') isAfterSpace = text.endsWith(' ');
    return { ...node, text };
  });
  return joinTexts(trimEnd(collapsed.filter(({ text }) => text !== '')));
}

function trimEnd(content: DocumentNode[]): DocumentNode[] {
  const last = content.at(-1);
  if (!last?.text?.endsWith(' ')) return content;
  const text = last.text.slice(0, -1);
  return [...content.slice(0, -1), ...(text === '' ? [] : [{ ...last, text }])];
}

/** Joins texts that have the same marks. */
export function joinTexts(content: readonly DocumentNode[]): DocumentNode[] {
  const joined: DocumentNode[] = [];
  for (const node of content) {
    const last = joined.at(-1);
    if (last?.text === undefined || node.text === undefined || !haveSameMarks(last, node)) joined.push(node);
    else joined[joined.length - 1] = { ...last, text: last.text + node.text };
  }
  return joined;
}

const haveSameMarks = ({ marks: one = [] }: DocumentNode, { marks: other = [] }: DocumentNode): boolean =>
  one.length === other.length && one.every((mark, index) => isSame(mark, other[index]));
