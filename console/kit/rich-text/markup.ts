import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { sanitizeHtml } from '#shared/media/sanitize-html.ts';
import { readHtml } from './document/read-html.ts';
import { writeHtml } from './document/write-html.ts';

/** A text as the editor would save it; undefined if its structure is too complex to be saved. */
export function normalise(html: string): string | undefined {
  const allowed = sanitizeHtml(html);
  return allowed === undefined ? undefined : writeHtml(readHtml(allowed));
}

/**
 * What the editor would remove from a text: names of elements, and attributes as `p[style]`, each once. It is empty for
 * a text that the editor can hold: the service keeps it (`shared/media/rich-text-list.ts`), and its structure is sound.
 */
export function findLoss(html: string): string[] {
  const kept = listNames(normalise(html) ?? '');
  return [...listNames(html)].filter((name) => !kept.has(name));
}

/** Names of all elements and attributes; `text` if there is any. */
function listNames(html: string): Set<string> {
  const names = new Set<string>();
  const visit = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): void => {
    for (const node of nodes) {
      if ('value' in node && node.value.trim() !== '') names.add('text');
      if (!('tagName' in node)) continue;
      names.add(node.tagName);
      for (const { name } of node.attrs) names.add(`${node.tagName}[${name}]`);
      visit(node.childNodes);
    }
  };
  visit(parseFragment(html).childNodes);
  return names;
}

/** Whether a link may be put into a text: a web address, a mail address, or a path of this site. */
export const isLink = (text: string): boolean => /^(?:https?:\/\/|mailto:|\/(?!\/))\S+$/i.test(text);
