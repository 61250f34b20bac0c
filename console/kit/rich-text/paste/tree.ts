import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html as html5 } from 'parse5';

export type Child = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

export const isElement = (node: Child | undefined): node is Element =>
  node !== undefined && 'tagName' in node;

/** An attribute's value; empty if it is missing. */
export const read = ({ attrs }: Element, name: string): string =>
  attrs.find((each) => each.name === name)?.value ?? '';

/** A new element around nodes. */
export function create(
  name: string,
  children: readonly Child[] = [],
  attributes: Record<string, string> = {},
): Element {
  const attrs = Object.entries(attributes).map(([attribute, value]) => ({ name: attribute, value }));
  const element = defaultTreeAdapter.createElement(name, html5.NS.HTML, attrs);
  for (const child of children) defaultTreeAdapter.appendChild(element, child);
  return element;
}

/** All text of nodes. */
export const textOf = (nodes: readonly Child[]): string =>
  nodes
    .map((node) => ('value' in node ? node.value : isElement(node) ? textOf(node.childNodes) : ''))
    .join('');
