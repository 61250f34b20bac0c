import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

/** Elements that the editor keeps: a part of those that the service keeps (`shared/media/rich-text-list.ts`). */
export const kept = new Set(
  'a blockquote br code em h1 h2 h3 h4 hr img li ol p pre s strong u ul b i strike del'.split(' '),
);
/** Attributes that the editor keeps, by element. */
export const keptAttributes: Record<string, readonly string[]> = {
  a: ['href', 'target', 'rel', 'class'],
  code: ['class'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  ol: ['start', 'type'],
};

/**
 * What the editor would remove from a text: names of elements, and attributes as `p[style]`, each once. It is empty for
 * a text that the editor can hold. It does not use the browser's parser, which reports styles to the console's policy.
 */
export function findLoss(html: string): string[] {
  const lost = new Set<string>();
  const visit = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): void => {
    for (const node of nodes) {
      if (!('tagName' in node)) continue;
      const { tagName, attrs, childNodes } = node;
      if (!kept.has(tagName)) lost.add(tagName);
      for (const { name } of attrs)
        if (!keptAttributes[tagName]?.includes(name)) lost.add(`${tagName}[${name}]`);
      visit(childNodes);
    }
  };
  visit(parseFragment(html).childNodes);
  return [...lost];
}

/** Whether a link may be put into a text: a web address, a mail address, or a path of this site. */
export const isLink = (text: string): boolean => /^(?:https?:\/\/|mailto:|\/(?!\/))\S+$/i.test(text);
