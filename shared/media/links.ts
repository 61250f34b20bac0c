import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { ForeignContent } from './foreign-content.ts';

/** An attribute that holds a URL. */
export interface Link {
  /** The value as a browser reads it. */
  value: string;
  /** Where the value begins in the source, behind its opening quote. */
  start: number;
}

// Media rule 3: these attributes and no others.
const names = ['src', 'href', 'poster'];
const beforeValue = /^[a-z]+[\t\n\f\r ]*=[\t\n\f\r ]*["']?/i;

/** Elements whose content is text; `<noscript>` is none, as in a reader without scripts. */
const textModes = new Map<string, Tokenizer['state']>([
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['script', TokenizerMode.SCRIPT_DATA],
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, TokenizerMode.RAWTEXT] as const),
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

const ignore = () => {};
const noLinks = {
  onComment: ignore,
  onDoctype: ignore,
  onEof: ignore,
  onCharacter: ignore,
  onNullCharacter: ignore,
  onWhitespaceCharacter: ignore,
};

/**
 * The `src`, `href` and `poster` of all start tags (media rule 3), in the order of the source, as a browser's
 * tokenizer finds them: not in comments, scripts, styles, text fields or other attributes, and of an attribute
 * that is given twice only the first. `<base href>` is not among them, and does not change how others are read.
 * Takes time in proportion to the source.
 */
export function listLinks(html: string): Link[] {
  const links: Link[] = [];
  const foreign = new ForeignContent();
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...noLinks,
      onStartTag(tag) {
        const mode = foreign.open(tag) ? undefined : textModes.get(tag.tagName);
        tokenizer.inForeignNode = foreign.isInside;
        if (mode !== undefined) tokenizer.state = mode;
        links.push(...readLinks(html, tag));
      },
      onEndTag(tag) {
        foreign.close(tag);
        tokenizer.inForeignNode = foreign.isInside;
      },
    },
  );
  tokenizer.write(html, true);
  return links;
}

function readLinks(html: string, { tagName, attrs, location }: Token.TagToken): Link[] {
  if (tagName === 'base') return [];
  return attrs.flatMap(({ name, value }) => {
    const place = names.includes(name) ? location?.attrs?.[name] : undefined;
    if (!place) return [];
    const [head] = beforeValue.exec(html.slice(place.startOffset, place.endOffset)) ?? [];
    return head === undefined ? [] : [{ value, start: place.startOffset + head.length }];
  });
}
