import { foreignContent, type Token } from 'parse5';

type Namespace = 'svg' | 'math';

interface Entry {
  name: string;
  namespace: Namespace;
  /** Whether its content is HTML again: an integration point of the HTML standard. */
  isHtml: boolean;
}

const integrationPoints: Record<Namespace, ReadonlySet<string>> = {
  svg: new Set(['foreignobject', 'desc', 'title']),
  math: new Set(['mi', 'mo', 'mn', 'ms', 'mtext']),
};

/**
 * Follows where inline SVG and MathML begin and end. In them `<style>`, `<title>` and `<script/>` hold markup
 * or nothing, where in HTML they hold text, and CDATA sections exist. It knows tags only, no tree: in HTML
 * that is misnested inside of a `foreignObject` it may see the end of one earlier than a browser does.
 */
export class ForeignContent {
  #entries: Entry[] = [];
  // How often a name is in the entries: an end tag without its start tag must not cost a search.
  #counts = new Map<string, number>();

  /** Whether what comes next stands directly in SVG or MathML. */
  get isInside(): boolean {
    return this.#entries.at(-1)?.isHtml === false;
  }

  /** Takes a start tag; whether its element is SVG or MathML. */
  open(tag: Token.TagToken): boolean {
    if (this.isInside && foreignContent.causesExit(tag)) this.#leave();
    const own = toNamespace(tag.tagName);
    const namespace = this.isInside ? this.#entries.at(-1)?.namespace : own;
    if (!namespace) return false;
    const isHtml = isIntegrationPoint(tag, namespace);
    if (!tag.selfClosing && (isHtml || own)) {
      this.#entries.push({ name: tag.tagName, namespace, isHtml });
      this.#count(tag.tagName, 1);
    }
    return true;
  }

  /** Takes an end tag. */
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

function toNamespace(name: string): Namespace | undefined {
  return name === 'svg' || name === 'math' ? name : undefined;
}

function isIntegrationPoint({ tagName, attrs }: Token.TagToken, namespace: Namespace): boolean {
  if (namespace === 'math' && tagName === 'annotation-xml') {
    const encoding = attrs.find(({ name }) => name === 'encoding')?.value.toLowerCase();
    return encoding === 'text/html' || encoding === 'application/xhtml+xml';
  }
  return integrationPoints[namespace].has(tagName);
}
