import { parse, serialize } from 'parse5';
import { normalise } from '../markup.ts';
import { isTracker, readLink, readPicture } from './addresses.ts';
import { headingOf, isBlock, isSeen, kept, readSpans, splitBlocks, unwrapOnly } from './blocks.ts';
import { isMarker, nestLines, readLevels, readListLine } from './lists.ts';
import { Losses, type LostKind } from './lost.ts';
import { isColoured, isHidden, marksOfStyle, readAlignment, readStyle } from './styles.ts';
import { type Child, create, type Element, isElement, read, textOf } from './tree.ts';

/** What becomes of a paste. */
export interface CleanPaste {
  /** What the service keeps byte for byte. */
  html: string;
  /** What is not in `html`, by kind. */
  lost: { kind: LostKind; count: number }[];
  /** Pictures of `html` that come with their bytes (`data:`), which are to be uploaded. */
  pictures: string[];
}

const losing: Readonly<Record<string, LostKind>> = {
  iframe: 'frame',
  embed: 'frame',
  object: 'frame',
  frame: 'frame',
  applet: 'frame',
  input: 'form',
  select: 'form',
  textarea: 'form',
  svg: 'drawing',
  canvas: 'drawing',
  math: 'drawing',
};
/** Elements that readers do not see. */
const silent =
  /^(head|style|script|link|meta|title|base|template|noscript|xml|map|w:.*|o:(?!p$).*|m:.*|colgroup|col|source|track)$/;
const textMarks: Readonly<Record<string, string>> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  u: 'u',
  s: 's',
  strike: 's',
  del: 's',
  sub: 'sub',
  sup: 'sup',
  code: 'code',
  kbd: 'kbd',
  mark: 'mark',
  tt: 'code',
  samp: 'code',
};
const divisions =
  /^(address|article|aside|body|center|div|fieldset|footer|form|header|hgroup|html|main|nav|section)$/;

/**
 * Cleans HTML of the clipboard, from Word, WPS, Google Docs or a web page: text, links, tables, lists and pictures are
 * kept or named as lost. Fonts, sizes and spaces are not kept.
 */
export function cleanPaste(html: string): CleanPaste {
  const cleaner = new Cleaner(html);
  const document = parse(cutFragment(html));
  const root = create('div', cleaner.blocks(document.childNodes));
  const clean = normalise(serialize(root)) ?? '';
  const pictures = [...clean.matchAll(/<img [^>]*?src="(data:[^"]*)"/g)].map(([, source = '']) => source);
  return { html: clean, lost: cleaner.losses.list(), pictures };
}

/** Programs mark the part that was copied. */
function cutFragment(html: string): string {
  const [, fragment] = /<!--\s*StartFragment\s*-->([\s\S]*?)<!--\s*EndFragment\s*-->/i.exec(html) ?? [];
  // The parts of a table count without their table only within it.
  return fragment !== undefined && !/^\s*<(t[rdh]|tbody|thead|td|col)\b/i.test(fragment) ? fragment : html;
}

class Cleaner {
  readonly losses = new Losses();
  readonly #base: string;

  constructor(html: string) {
    const [, base = ''] = /<base[^>]*\shref=["']?(https?:[^"'\s>]+)/i.exec(html) ?? [];
    const [, source = ''] = /^SourceURL:(https?:\S+)/im.exec(html) ?? [];
    this.#base = base || source;
  }

  /** Cleans the children of a container; text between its blocks becomes paragraphs. */
  blocks(children: readonly Child[]): Child[] {
    return nestLines(this.#paragraphs(children));
  }

  #paragraphs(children: readonly Child[]): Child[] {
    return splitBlocks(this.all(children), (line) => create('p', line));
  }

  all(children: readonly Child[]): Child[] {
    return children.flatMap((child) => this.#clean(child));
  }

  #clean(node: Child): Child[] {
    if ('value' in node) return [{ ...node, parentNode: null }];
    if (!isElement(node)) return [];
    const name = node.tagName;
    const lost = losing[name];
    if (lost) this.losses.add(lost);
    const style = readStyle(node);
    if (lost || silent.test(name) || isMarker(node) || isHidden(node, style)) return [];
    if (isColoured(style) && textOf([node]).trim() !== '') this.losses.add('colour');
    return this.#cleanSeen(node, style);
  }

  #cleanSeen(node: Element, style: Readonly<Record<string, string>>): Child[] {
    const name = node.tagName;
    if (name === 'img' || name === 'v:imagedata') return this.#picture(node);
    if (name === 'video' || name === 'audio') return this.#media(node);
    if (name === 'a') return this.#link(node);
    if (divisions.test(name)) return this.#paragraphs(node.childNodes);
    const line = /^(p|h[1-6])$/.test(name) && readListLine(node, (children) => this.#inside(children, style));
    if (line) return [line];
    if (kept.test(name)) return this.#keep(node, style);
    const own =
      /^normal|^400/.test(style['font-weight'] ?? '') && /^(b|strong)$/.test(name)
        ? undefined
        : textMarks[name];
    return this.#mark(
      [...new Set([...(own ? [own] : []), ...marksOfStyle(style)])],
      this.all(node.childNodes),
    );
  }

  #inside(children: readonly Child[], style: Readonly<Record<string, string>>): Child[] {
    return this.#mark(marksOfStyle(style), this.all(children));
  }

  /** Puts marks around the texts of nodes, within their blocks. */
  #mark(marks: readonly string[], nodes: Child[]): Child[] {
    if (marks.length === 0) return nodes;
    const result: Child[] = [];
    let run: Child[] = [];
    const end = () => {
      if (run.length > 0)
        result.push(...marks.reduceRight<Child[]>((inner, mark) => [create(mark, inner)], run));
      run = [];
    };
    for (const node of nodes) {
      if (!isElement(node) || !isBlock(node.tagName)) run.push(node);
      else {
        end();
        const inner = this.#mark(marks, [...node.childNodes]);
        node.childNodes = inner;
        for (const child of inner) child.parentNode = node;
        result.push(node);
      }
    }
    end();
    return result;
  }

  #keep(node: Element, style: Readonly<Record<string, string>>): Child[] {
    const name = headingOf(node) ?? node.tagName;
    if (/^(p|h[1-6])$/.test(name)) {
      const children = name === 'p' ? this.#inside(node.childNodes, style) : this.all(node.childNodes);
      const isEmpty = !isSeen(children);
      return isEmpty ? [] : splitBlocks(children, (inner) => create(name, inner, readAlignment(node, style)));
    }
    if (name === 'br') return style['page-break-before'] === 'always' ? [] : [create('br')];
    if (name === 'ul' || name === 'ol') return this.#list(node);
    if (name === 'td' || name === 'th') {
      const inner = unwrapOnly(this.#mark(marksOfStyle(style), this.blocks(node.childNodes)));
      return [create(name, inner, { ...readSpans(node), ...readAlignment(node, style) })];
    }
    if (/^(li|dd|blockquote|figure|figcaption|caption|details|dt|summary)$/.test(name))
      return [create(name, unwrapOnly(this.blocks(node.childNodes)))];
    return [create(name, this.all(node.childNodes))];
  }

  #list(node: Element): Child[] {
    const children = this.all(node.childNodes).filter(
      (child) => isElement(child) || textOf([child]).trim() !== '',
    );
    const levels = readLevels(node, children.filter(isElement));
    if (levels) return levels;
    const start = Number(read(node, 'start'));
    const more: Record<string, string> = node.tagName === 'ol' && start > 1 ? { start: String(start) } : {};
    return [create(node.tagName, children, more)];
  }

  #link(node: Element): Child[] {
    const children = this.all(node.childNodes);
    const href = readLink(node, this.#base);
    if (href) return splitBlocks(children, (inner) => create('a', inner, { href }));
    if (read(node, 'href') !== '' && isSeen(children)) this.losses.add('link');
    return children;
  }

  #picture(node: Element): Child[] {
    if (isTracker(node)) return [];
    const src = readPicture(node, this.#base);
    if (!src) this.losses.add('local');
    if (!src) return [];
    if (!src.startsWith('data:')) this.losses.add('remote');
    return [create('img', [], { src, alt: read(node, 'alt') })];
  }

  #media(node: Element): Child[] {
    const source = node.childNodes.filter(isElement).find(({ tagName }) => tagName === 'source');
    const src = [node, ...(source ? [source] : [])]
      .map((each) => readPicture(each, this.#base))
      .find(Boolean);
    if (!src) this.losses.add('media');
    return src ? [create(node.tagName, [], { src, controls: '' })] : [];
  }
}
