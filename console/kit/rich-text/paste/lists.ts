import { readStyle } from './styles.ts';
import { type Child, create, type Element, isElement, read, textOf } from './tree.ts';

/** A line of a list whose nesting is a number, as Word writes it. */
interface Line {
  /** From 1. */
  level: number;
  isOrdered: boolean;
  start: number;
  /** Lines of another list begin a new one. */
  list: string;
  content: Child[];
}
const lines = new WeakMap<Element, Line>();

/** The number of a marker such as `3.` or `(b)`; undefined for a bullet. */
function readNumber(marker: string): number | undefined {
  const text = marker.replace(/[\s\u00a0]/g, '');
  // Wingdings write bullets as letters, without a sign behind them.
  const [, number] = /^[([]?([0-9]+|[a-z]+|[一二三四五六七八九十]+)[.)\]、．]/i.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) || 1;
}

/**
 * Notes that a paragraph of Word or WPS is a line of a list. They write `mso-list:l0 level2 lfo1` and the marker as
 * text; older ones have the marker in a conditional comment.
 */
export function readListLine(
  source: Element,
  clean: (children: readonly Child[]) => Child[],
): Element | undefined {
  const [, list = '', level = '1'] = /^(l\d+)\s+level(\d)/.exec(readStyle(source)['mso-list'] ?? '') ?? [];
  if (list === '') return undefined;
  const marker = findMarker(source);
  const number = readNumber(marker);
  return note({
    level: Number(level),
    list,
    isOrdered: number !== undefined,
    start: number ?? 1,
    content: clean(source.childNodes),
  });
}

/** Whether an element is the marker of a list's line, which a list draws itself. */
export const isMarker = (element: Element): boolean => /^ignore/.test(readStyle(element)['mso-list'] ?? '');

function findMarker({ childNodes }: Element): string {
  for (const child of childNodes) {
    if (!isElement(child)) continue;
    const found = isMarker(child) ? textOf(child.childNodes) : findMarker(child);
    if (found !== '') return found;
  }
  return '';
}

/** Items whose level is an attribute: Google Docs, and Word for the web, which has a list for each item. */
export function readLevels(list: Element, items: readonly Element[]): Element[] | undefined {
  const sources = list.childNodes.filter(isElement);
  const levels = sources.map((item) => Number(read(item, 'data-aria-level') || read(item, 'aria-level')));
  const isOfWord = sources.every((item) => read(item, 'data-aria-level') !== '');
  const isNested = [...items, ...items.flatMap(({ childNodes }) => childNodes)].some(
    (node) => isElement(node) && /^[ou]l$/.test(node.tagName),
  );
  const isFlat = levels.length === items.length && !isNested && levels[0] === 1 && Math.max(...levels) > 1;
  if (!isOfWord && !isFlat) return undefined;
  return items.map((item, index) =>
    note({
      level: levels[index] || 1,
      list: 'aria',
      isOrdered: list.tagName === 'ol',
      start: Number(read(list, 'start')) || 1,
      content: [...item.childNodes],
    }),
  );
}

function note(line: Line): Element {
  const element = create('li');
  lines.set(element, line);
  return element;
}

/** Puts lines in a row into real lists, each level within the item before. */
export function nestLines(children: readonly Child[]): Child[] {
  const result: Child[] = [];
  let open: { list: Element; line: Line; last: Element }[] = [];
  for (const child of children) {
    const line = isElement(child) ? lines.get(child) : undefined;
    if (!line) {
      if (!isElement(child) && textOf([child]).trim() === '') continue;
      open = [];
      result.push(child);
      continue;
    }
    while (open.length > 0 && !continues(open.at(-1)?.line, line)) open.pop();
    const top = open.at(-1);
    const item = create('li', line.content);
    if (top && top.line.level === line.level) {
      append(top.list, item);
      top.last = item;
      continue;
    }
    const start: Record<string, string> =
      line.isOrdered && line.start > 1 ? { start: String(line.start) } : {};
    const list = create(line.isOrdered ? 'ol' : 'ul', [item], start);
    if (top) append(top.last, list);
    else result.push(list);
    open.push({ list, line, last: item });
  }
  return result;
}

/** Whether a line stands in the list of another, or in one of its items. */
const continues = (open: Line | undefined, line: Line): boolean =>
  open !== undefined &&
  (open.level < line.level ||
    (open.level === line.level && open.list === line.list && open.isOrdered === line.isOrdered));

function append(parent: Element, child: Element): void {
  parent.childNodes.push(child);
  child.parentNode = parent;
}
