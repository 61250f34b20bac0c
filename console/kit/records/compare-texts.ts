import { diffWordsWithSpace } from 'diff';

/** A part of two texts. `gap`: text that stayed the same, and is left out. */
export interface TextPart {
  kind: 'same' | 'added' | 'removed' | 'gap';
  text: string;
}

/** Longest comparison, in milliseconds. */
const limitMs = 1500;
/** Characters beside a change that are shown. */
const context = 60;

/**
 * Compares two texts by words. Chinese has no spaces, so the browser divides it.
 *
 * @returns undefined if that takes too long
 */
export function compareTexts(before: string, after: string, language: string): TextPart[] | undefined {
  const intlSegmenter = new Intl.Segmenter(language, { granularity: 'word' });
  const parts = diffWordsWithSpace(before, after, { intlSegmenter, timeout: limitMs });
  return parts?.flatMap(({ value, added, removed }, index): TextPart[] => {
    if (added) return [{ kind: 'added', text: value }];
    if (removed) return [{ kind: 'removed', text: value }];
    return shorten(value, index === 0, index === parts.length - 1);
  });
}

/** Text that stayed the same: only its ends, beside the changes. */
function shorten(text: string, isFirst: boolean, isLast: boolean): TextPart[] {
  // Cut between words.
  const head = isFirst ? '' : text.slice(0, context).replace(/\s\S{0,20}$/, '');
  const tail = isLast ? '' : text.slice(-context).replace(/^\S{0,20}\s/, '');
  if (head.length + tail.length + context >= text.length) return [{ kind: 'same', text }];
  return [
    { kind: 'same', text: head },
    { kind: 'gap', text: ' … ' },
    { kind: 'same', text: tail },
  ];
}
