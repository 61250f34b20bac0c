import { foreignContent, type Token, Tokenizer, TokenizerMode } from 'parse5';

/** An attribute that holds a URL. */
interface Link {
  /** The value as a browser reads it. */
  value: string;
  /** Where the value begins in the source, after its opening quote. */
  start: number;
}

// Media rule 3: only these attributes.
const names = ['src', 'href', 'poster'];
const beforeValue = /^[a-z]+[\t\n\f\r ]*=[\t\n\f\r ]*["']?/i;

/** Elements that contain text only. Not `<noscript>`: readers may not run scripts. */
const textModes = new Map<string, Tokenizer['state']>([
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['script', TokenizerMode.SCRIPT_DATA],
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, TokenizerMode.RAWTEXT] as const),
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

const ignore = () => {};
const ignored = {
  onComment: ignore,
  onDoctype: ignore,
  onEof: ignore,
  onCharacter: ignore,
  onNullCharacter: ignore,
  onWhitespaceCharacter: ignore,
};

/** What a browser's tokenizer finds in a text. */
export interface Tags {
  start: Token.TagToken[];
  end: Token.TagToken[];
  /** Whether the text ends inside of a tag or a comment. What follows it on a page would become a part of that. */
  isCut: boolean;
}

/**
 * The tags of a text in the order of the source, as a browser's tokenizer finds them: not in comments, scripts, styles
 * and text fields. Takes linear time.
 */
export function listTags(html: string): Tags {
  const tags: Tags = { start: [], end: [], isCut: false };
  const foreign = new ForeignContent();
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...ignored,
      onStartTag(tag) {
        const mode = foreign.open(tag) ? undefined : textModes.get(tag.tagName);
        tokenizer.inForeignNode = foreign.isInside;
        if (mode !== undefined) tokenizer.state = mode;
        tags.start.push(tag);
      },
      onEndTag(tag) {
        foreign.close(tag);
        tokenizer.inForeignNode = foreign.isInside;
        tags.end.push(tag);
      },
      onParseError({ code }) {
        tags.isCut ||= code.startsWith('eof-');
      },
    },
  );
  tokenizer.write(html, true);
  return tags;
}

/**
 * The `src`, `href` and `poster` of all start tags (media rule 3) in the order of the source, and only the first of a
 * repeated attribute. Ignores `<base href>`.
 */
export const listLinks = (html: string): Link[] =>
  listTags(html).start.flatMap((tag) => readLinks(html, tag));

function readLinks(html: string, { tagName, attrs, location }: Token.TagToken): Link[] {
  if (tagName === 'base') return [];
  return attrs.flatMap(({ name, value }) => {
    const range = names.includes(name) ? location?.attrs?.[name] : undefined;
    if (!range) return [];
    const [head] = beforeValue.exec(html.slice(range.startOffset, range.endOffset)) ?? [];
    return head === undefined ? [] : [{ value, start: range.startOffset + head.length }];
  });
}

type Namespace = 'svg' | 'math';

interface Entry {
  name: string;
  namespace: Namespace;
  /** Whether its content is HTML again (an "integration point" of the HTML standard). */
  isHtml: boolean;
}

const integrationPoints: Record<Namespace, ReadonlySet<string>> = {
  svg: new Set(['foreignobject', 'desc', 'title']),
  math: new Set(['mi', 'mo', 'mn', 'ms', 'mtext']),
};

/**
 * Follows where inline SVG and MathML begin and end. In HTML `<style>`, `<title>` and `<script/>` hold text; in
 * SVG and MathML they hold markup or nothing, and CDATA sections exist. It sees tags, not a tree: with misnested
 * HTML in a `foreignObject` it may end earlier than a browser.
 */
class ForeignContent {
  #entries: Entry[] = [];
  // How often each name is open: an end tag without a start tag must not cause a search.
  #counts = new Map<string, number>();

  /** Whether the next token is directly in SVG or MathML. */
  get isInside(): boolean {
    return this.#entries.at(-1)?.isHtml === false;
  }

  /** @returns whether the element is SVG or MathML */
  open(tag: Token.TagToken): boolean {
    if (this.isInside && foreignContent.causesExit(tag)) this.#leave();
    const own = tag.tagName === 'svg' || tag.tagName === 'math' ? tag.tagName : undefined;
    const namespace = this.isInside ? this.#entries.at(-1)?.namespace : own;
    if (!namespace) return false;
    const isHtml = isIntegrationPoint(tag, namespace);
    if (!tag.selfClosing && (isHtml || own)) {
      this.#entries.push({ name: tag.tagName, namespace, isHtml });
      this.#count(tag.tagName, 1);
    }
    return true;
  }

  close({ tagName }: Token.TagToken): void {
    if (this.isInside && (tagName === 'p' || tagName === 'br')) this.#leave();
    if (!this.#counts.get(tagName)) return;
    while (this.#entries.length > 0 && this.#pop()?.name !== tagName);
  }

  #leave(): void {
    while (this.isInside) this.#pop();
  }

  #pop(): Entry | undefined {
    const entry = this.#entries.pop();
    if (entry) this.#count(entry.name, -1);
    return entry;
  }

  #count(name: string, change: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + change);
  }
}

function isIntegrationPoint({ tagName, attrs }: Token.TagToken, namespace: Namespace): boolean {
  if (namespace === 'math' && tagName === 'annotation-xml') {
    const encoding = attrs.find(({ name }) => name === 'encoding')?.value.toLowerCase();
    return encoding === 'text/html' || encoding === 'application/xhtml+xml';
  }
  return integrationPoints[namespace].has(tagName);
}
