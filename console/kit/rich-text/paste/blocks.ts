import { type Child, type Element, isElement, read, textOf } from './tree.ts';

/** Elements that stay as they are. */
export const kept =
  /^(blockquote|pre|ul|ol|li|table|thead|tbody|tfoot|tr|td|th|caption|figure|figcaption|dl|dt|dd|hr|br|h[1-6]|p|ruby|rt|rp|details|summary)$/;
/** Whether an element is more than a part of a line. */
export const isBlock = (name: string): boolean => kept.test(name) && !/^(br|ruby|rt|rp)$/.test(name);

/** Whether readers see something of it. */
export const isSeen = (nodes: readonly Child[]): boolean =>
  nodes.some((node) =>
    isElement(node)
      ? /^(img|video|audio|hr|li)$/.test(node.tagName) || isSeen(node.childNodes)
      : /[^\s\u00a0]/.test(textOf([node])),
  );

/** Word's own names of headings. */
export function headingOf(node: Element): string | undefined {
  if (node.tagName !== 'p') return undefined;
  const [, level] = /\bMso(?:Heading([1-6])|Title)\b/i.exec(read(node, 'class')) ?? [undefined, undefined];
  const isTitle = /\bMsoTitle\b/.test(read(node, 'class'));
  return level ? `h${level}` : isTitle ? 'h1' : undefined;
}

export function readSpans(node: Element): Record<string, string> {
  const spans = ['colspan', 'rowspan'].filter((name) => Number(read(node, name)) > 1);
  return Object.fromEntries(spans.map((name) => [name, String(Number(read(node, name)))]));
}

/** A single paragraph stands in its cell or item without an element. */
export function unwrapOnly(nodes: Child[]): Child[] {
  const paragraphs = nodes.filter((node) => isElement(node) && node.tagName === 'p');
  return nodes.flatMap((node) =>
    isElement(node) && node.tagName === 'p' && paragraphs.length === 1 && node.attrs.length === 0
      ? node.childNodes.map((child) => ({ ...child, parentNode: null }))
      : [node],
  );
}

/** Puts the text between blocks into elements of its own. */
export function splitBlocks(nodes: readonly Child[], wrap: (children: Child[]) => Child): Child[] {
  const result: Child[] = [];
  let run: Child[] = [];
  const end = () => {
    if (isSeen(run)) result.push(wrap(run));
    run = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !isBlock(node.tagName)) run.push(node);
    else {
      end();
      result.push(node);
    }
  }
  end();
  return result;
}
