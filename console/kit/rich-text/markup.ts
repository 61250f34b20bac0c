/** Elements that the editor keeps. */
const kept = new Set(
  'a blockquote br code em h1 h2 h3 h4 hr img li ol p pre s strong u ul b i strike del html head body'.split(
    ' ',
  ),
);
/** Attributes that the editor keeps, by element. */
const keptAttributes: Record<string, readonly string[]> = {
  a: ['href', 'target', 'rel', 'class'],
  code: ['class'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  ol: ['start', 'type'],
};

/**
 * What the editor would remove from a text: names of elements, and attributes as `p[style]`, each once. It is empty for
 * a text that the editor can hold. The text is parsed by the browser, in a document that runs nothing.
 */
export function findLoss(html: string): string[] {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const lost = new Set<string>();
  for (const { localName, attributes } of parsed.querySelectorAll('*')) {
    if (!kept.has(localName)) lost.add(localName);
    else
      for (const { name } of attributes)
        if (!keptAttributes[localName]?.includes(name)) lost.add(`${localName}[${name}]`);
  }
  return [...lost];
}

/** Whether a link may be put into a text: a web address, a mail address, or a path of this site. */
export const isLink = (text: string): boolean => /^(?:https?:\/\/|mailto:|\/(?!\/))\S+$/i.test(text);
